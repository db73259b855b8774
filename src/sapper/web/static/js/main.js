// Shows the page named by the URL's fragment, and applies the theme.

import { analysePage } from "./analyse.js";
import { announce } from "./dom.js";
import { learnPage } from "./learn.js";
import { playPage } from "./play.js";

const pages = { play: playPage, analyse: analysePage, learn: learnPage };
const main = document.getElementById("main");
let leave = null;

function show() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  const page = pages[name] ? name : "play";
  leave?.();
  main.replaceChildren();
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.page === page) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `Sapper: ${page}`;
  leave = pages[page](main, rest.join("/")) ?? null;
}

function useTheme(theme) {
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event("themechange"));
}

const select = document.getElementById("theme");
let kept = null;
try { kept = localStorage.getItem("theme"); } catch { /* This browser stores nothing. */ }
select.value = kept ?? "auto";
select.addEventListener("change", () => {
  useTheme(select.value);
  try { localStorage.setItem("theme", select.value); } catch { /* The choice lasts for this visit only. */ }
  announce(`Theme: ${select.options[select.selectedIndex].text}`);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => useTheme(select.value));
useTheme(select.value);
window.addEventListener("hashchange", event => {
  if (!event.newURL.endsWith("!keep")) show();
});
show();

// Changes the URL's fragment without reloading the page.
export function remember(hash) {
  history.replaceState(null, "", `#${hash}`);
}
