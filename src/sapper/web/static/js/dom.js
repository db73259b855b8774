// Makes elements, and says things to those who listen instead of looking.

export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "dataset") Object.assign(element.dataset, value);
    else if (key.startsWith("aria-") || key === "role" || key === "for") element.setAttribute(key, value);
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element[key] = value;
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

export function button(words, act, properties = {}) {
  return make("button", { type: "button", onclick: act, ...properties }, words);
}

export function announce(words) {
  document.getElementById("announcer").textContent = words;
}

export function describeCell([row, column]) {
  return `row ${row + 1}, column ${column + 1}`;
}

export function formatTime(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function formatPercent(chance) {
  const percent = Math.round(100 * chance);
  if (percent === 0 && chance > 0) return "<1";
  if (percent === 100 && chance < 1) return ">99";
  return String(percent);
}
