// The Play page: a game stored on the server, with hints, proofs, risks and agents.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { announce, button, formatPlural, formatTime, make } from "./dom.js";
import { reviewPanel } from "./review.js";

const LEVELS = ["beginner", "intermediate", "expert", "course", "custom"];
const KEYS = [
  ["Arrows", "move the cursor"], ["Space", "open"], ["F", "flag"], ["H", "hint"], ["W", "explain"], [", .", "previous or next step"], ["E", "risks"],
  ["A", "AI move"], ["P", "autoplay"], ["U", "undo"], ["Y", "redo"], ["N", "new board"], ["G", "restart the same board"],
  ["X", "continue after a mine"], ["V", "review"],
];

export function playPage(main, rest) {
  let state = null, shownAt = 0, busy = Promise.resolve(), playing = null, gone = false, review = null;
  const board = new Board({
    open: cell => move("open", cell),
    mark: cell => move("mark", cell),
    key: pressKey,
  });
  const counter = make("span", { className: "figures", title: "mines left" });
  const clock = make("span", { className: "figures", title: "time", role: "timer", "aria-live": "off" });
  const message = make("p", { className: "message" });
  const words = make("div", { className: "words stack" });
  const under = make("div");

  // A new board -------------------------------------------------------------------------------------

  const level = make("select", { id: "level" }, ...LEVELS.map(name => make("option", { value: name }, name)));
  const width = make("input", { type: "number", min: 1, max: 200, value: 30, "aria-label": "width" });
  const height = make("input", { type: "number", min: 1, max: 200, value: 16, "aria-label": "height" });
  const mines = make("input", { type: "number", min: 0, max: 40000, value: 99, "aria-label": "mines" });
  const custom = make("div", { className: "bar", hidden: true }, width, "×", height, "/", mines);
  const promise = make("select", { id: "promise" },
    ...[["open", "no adjacent mines"], ["safe", "not a mine"], ["none", "no guarantee"]].map(([value, text]) => make("option", { value }, text)));
  const noGuess = make("input", { type: "checkbox", id: "no-guess" });
  const difficulty = make("select", { id: "difficulty", disabled: true },
    ...[["", "any"], ["..chain", "easy"], ["overlap", "medium"], ["cases..", "hard"]].map(([value, text]) => make("option", { value }, text)));
  level.addEventListener("change", () => { custom.hidden = level.value !== "custom"; });
  noGuess.addEventListener("change", () => { difficulty.disabled = !noGuess.checked; promise.disabled = noGuess.checked; });

  function requestedBoard() {
    const name = level.value === "custom" ? `${width.value}x${height.value}/${mines.value}` : level.value;
    const asked = { level: name, no_guess: noGuess.checked };
    if (noGuess.checked && difficulty.value) asked.difficulty = difficulty.value;
    if (!noGuess.checked && name !== "course") asked.promise = promise.value;
    return asked;
  }

  async function begin(board = requestedBoard()) {
    stopPlaying();
    await act(() => ask("/api/games", board));
    if (state) history.replaceState(null, "", `#play/${state.name}`);
  }

  // Actions -----------------------------------------------------------------------------------------

  // Runs calls one after another: a click waits for the reply to the previous one.
  function act(call) {
    busy = busy.then(async () => {
      try {
        const found = await call();
        if (!gone && found) show(found);
      } catch (error) {
        say(error.message, "bad");
      }
    });
    return busy;
  }

  const move = (what, cell) => state && act(() => ask(`/api/games/${state.name}/moves`, cell ? { do: what, cell } : { do: what }));
  const help = (what, cell) => state && act(() => ask(`/api/games/${state.name}/help`, cell ? { what, cell } : { what }));

  function pressKey(event, cursor) {
    const action = {
      h: () => help("hint"), w: () => help("why", isHidden(cursor) ? cursor : undefined), e: () => help("heat"),
      ".": () => help("next"), ",": () => help("previous"), escape: () => help("clear"),
      a: () => move("ai"), p: togglePlaying, u: () => move("undo"), y: () => move("redo"), n: () => begin(),
      g: () => move("again"), x: () => move("go_on"), v: openReview,
    }[event.key.toLowerCase()];
    if (action) { event.preventDefault(); action(); }
  }

  const isHidden = cell => "#F".includes(state.cells[cell[0] * state.width + cell[1]]);

  const speed = make("input", { type: "range", min: -1, max: 5, step: 0.5, value: 2, "aria-label": "autoplay speed" });
  function togglePlaying() {
    if (playing) { stopPlaying(); return; }
    playing = true;
    autoplay.setAttribute("aria-pressed", "true");
    (async () => {
      while (playing && !gone && state?.outcome === "playing") {
        await move("ai");
        await new Promise(done => setTimeout(done, 1000 / 2 ** Number(speed.value)));
      }
      stopPlaying();
    })();
  }
  function stopPlaying() {
    playing = null;
    autoplay.setAttribute("aria-pressed", "false");
  }

  function openReview() {
    if (!state || state.outcome === "playing") return;
    review?.leave();
    review = reviewPanel({ name: state.name }, view => board.show(view), () => show(state));
    under.replaceChildren(review.element);
  }

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      say(`Copied ${what}.`);
    } catch {
      words.replaceChildren(make("label", {}, `Copy ${what}: `, make("textarea", { readOnly: true, value: text, rows: 3 })));
    }
  }

  // Display -----------------------------------------------------------------------------------------

  function say(text, kind = "") {
    message.textContent = text;
    message.className = `message ${kind}`;
    announce(text);
  }

  function show(found) {
    if (state && found.name !== state.name) { review?.leave(); review = null; under.replaceChildren(); }
    if (found.outcome === "playing" && review) { review.leave(); review = null; under.replaceChildren(); }
    state = found;
    shownAt = performance.now();
    board.show(state);
    const flags = [...state.cells].filter(sign => sign === "F").length;
    counter.textContent = formatPlural(state.mines - flags, "mine") + " left";
    say(state.message, state.outcome === "won" ? "good" : state.outcome === "lost" ? "bad" : "");
    heat.setAttribute("aria-pressed", String((state.overlay?.risks.length ?? 0) > 0));
    for (const [each, when] of [[undo, state.moves > 0], [goOn, state.outcome === "lost"], [reviewed, state.outcome !== "playing"], [code, state.code]]) each.disabled = !when;
    if (agent.value !== state.agent) agent.value = state.agent;
    showWords();
    tick();
  }

  function showWords() {
    const overlay = state.overlay;
    words.replaceChildren();
    if (!overlay || (!overlay.title && !overlay.lines.length)) return;
    if (overlay.title) words.append(make("p", {}, make("strong", {}, overlay.title)));
    const isTable = overlay.lines.some(line => /\s{4,}/.test(line));
    if (isTable) words.append(make("pre", { className: "mono" }, overlay.lines.join("\n")));
    else for (const line of overlay.lines) words.append(make("p", {}, line));
    if (overlay.numbers.length || overlay.step) {
      words.append(make("div", { className: "bar" }, button("Previous step", () => help("previous")), button("Next step", () => help("next")),
        overlay.step ? `step ${overlay.step[0]} of ${overlay.step[1]}` : "all steps"));
    }
    announce([overlay.title, ...overlay.lines].join(" "));
  }

  function tick() {
    if (!state) return;
    const since = state.running ? (performance.now() - shownAt) / 1000 : 0;
    clock.textContent = formatTime(state.seconds + since);
  }

  // Layout ------------------------------------------------------------------------------------------

  const undo = button("Undo", () => move("undo")), goOn = button("Continue", () => move("go_on"), { title: "Continue for practice after hitting a mine" });
  const reviewed = button("Review", openReview), heat = button("Risks", () => help("heat"), { "aria-pressed": "false" });
  const autoplay = button("Autoplay", togglePlaying, { "aria-pressed": "false" });
  const code = button("Copy code", () => copy(state.code, "the board code"));
  const flagMode = button("Flag mode", () => {
    board.flagMode = !board.flagMode;
    flagMode.setAttribute("aria-pressed", String(board.flagMode));
  }, { "aria-pressed": "false" });
  const agent = make("select", { "aria-label": "agent" }, ...["strong", "strong-fast", "strong-high", "safest", "logic"].map(name => make("option", { value: name }, name)));
  agent.addEventListener("change", () => act(() => ask(`/api/games/${state.name}/agent`, { agent: agent.value })));
  const paste = make("input", { type: "text", placeholder: "board code", "aria-label": "board code", size: 14 });
  const load = button("Play code", () => paste.value.trim() && begin({ code: paste.value.trim() }));

  main.append(
    make("section", { className: "stack", "aria-label": "Game" },
      make("div", { className: "bar" }, counter, clock, button("New", () => begin(), { className: "main" }), button("Again", () => move("again")), undo,
        button("Redo", () => move("redo")), flagMode, goOn, reviewed),
      board.element, message,
      make("div", { className: "bar" }, button("Hint", () => help("hint")), button("Why?", () => help("why")), heat, button("AI move", () => move("ai")), autoplay, speed, agent),
      under),
    make("aside", { className: "stack", "aria-label": "Help and settings" },
      make("div", { className: "panel stack" }, make("h2", {}, "Help"), words),
      make("div", { className: "panel stack" }, make("h2", {}, "New board"),
        make("label", { className: "field" }, "Level ", level), custom,
        make("label", { className: "field" }, "First click ", promise),
        make("label", { className: "field" }, noGuess, "Never needs a guess"),
        make("label", { className: "field" }, "Difficulty ", difficulty),
        make("div", { className: "bar" }, button("Start", () => begin(), { className: "main" }), paste, load, code)),
      make("details", { className: "panel" }, make("summary", {}, "Keys"),
        make("table", { className: "keys" }, ...KEYS.map(([key, what]) => make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, what)))))));

  const timer = setInterval(tick, 250);
  const redraw = () => board.refresh();
  window.addEventListener("themechange", redraw);
  document.addEventListener("keydown", onPage);
  function onPage(event) {
    if (event.target === document.body && !event.ctrlKey && !event.metaKey) pressKey(event, board.cursor);
  }
  let kept = rest;
  try { kept ||= localStorage.getItem("game"); } catch { /* This browser stores nothing. */ }
  act(async () => {
    if (kept?.startsWith("code=")) return ask("/api/games", { code: decodeURIComponent(kept.slice(5)) });
    if (kept) {
      try { return await ask(`/api/games/${encodeURIComponent(kept)}`); } catch (error) { if (error.status !== 404) throw error; }
    }
    return ask("/api/games", { level: "beginner" });
  }).then(() => {
    if (!state) return;
    history.replaceState(null, "", `#play/${state.name}`);
    try { localStorage.setItem("game", state.name); } catch { /* The game is then only in the URL. */ }
    board.canvas.focus({ preventScroll: true });
  });
  return () => {
    gone = true;
    stopPlaying();
    review?.leave();
    clearInterval(timer);
    window.removeEventListener("themechange", redraw);
    document.removeEventListener("keydown", onPage);
  };
}
