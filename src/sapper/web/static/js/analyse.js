// The Analyse page: paint, type, paste or drop a position; its analysis updates as you edit.

import { ask, newest } from "./api.js";
import { Board } from "./board.js";
import { announce, button, describeCell, formatPercent, formatPlural, make } from "./dom.js";
import { reviewPanel } from "./review.js";
import { fromText, pack, risksOf, toText, unpack } from "./positions.js";

const BRUSHES = ["#", ".", "1", "2", "3", "4", "5", "6", "7", "8", "F"];
const NAMES = { "#": "hidden", ".": "empty", F: "flag" };
const EXAMPLE = { width: 9, height: 9, mines: 10, cells: "....1####....1####....2####....1####11112####".padEnd(81, "#") };
const FILES = ["txt", "mine", "mbf", "json", "avf", "evf", "rmv", "mvf"];

export function analysePage(main, rest) {
  let position = unpack(rest) ?? EXAMPLE, brush = "#", found = null, proof = null, step = null, gone = false, stroke = null;
  let review = null;
  const undone = [], under = make("div");
  const board = new Board({
    paint: (cell, event, begins) => paint(cell, event, begins),
    wheel: (cell, turn) => set(cell, cycle(signAt(cell), turn)),
    key: pressKey,
    open: cell => choose(cell), mark: cell => set(cell, signAt(cell) === "F" ? "#" : "F"),
    cursor: () => {},
  });
  const summary = make("div", { className: "stack", role: "status" });
  const words = make("div", { className: "words stack" });
  const text = make("textarea", { rows: 8, "aria-label": "Position as text", spellcheck: false });
  const number = (label, value, most) => make("input", { type: "number", min: label === "mines" ? 0 : 1, max: most, value, "aria-label": label });
  const width = number("width", position.width, 200), height = number("height", position.height, 200), mines = number("mines", position.mines, 40000);

  // Editing -----------------------------------------------------------------------------------------

  const signAt = ([row, column]) => position.cells[row * position.width + column];
  const cycle = (sign, turn) => BRUSHES[(BRUSHES.indexOf(sign) + turn + BRUSHES.length) % BRUSHES.length];

  function set([row, column], sign) {
    const at = row * position.width + column;
    if (position.cells[at] === sign) return;
    change({ ...position, cells: position.cells.slice(0, at) + sign + position.cells.slice(at + 1) });
  }

  function paint(cell, event, begins) {
    if (begins) {
      board.cursor = cell;
      const right = event.button === 2 || event.buttons === 2;
      if (brush === "why") { choose(cell); stroke = null; return; }
      stroke = right ? (signAt(cell) === "F" ? "#" : "F") : signAt(cell) === brush ? "#" : brush;
    }
    if (stroke !== null) set(cell, stroke);
  }

  function pressKey(event, cell) {
    const key = event.key.toLowerCase();
    const sign = /^[1-8]$/.test(key) ? key : { 0: ".", h: "#", "#": "#", ".": ".", delete: "#", backspace: "#" }[key];
    if (sign) { set(cell, sign); event.preventDefault(); }
    else if (key === "w") choose(cell);
    else if (key === "u") back();
  }

  function change(next, { keep = true } = {}) {
    if (review) closeReview();
    if (keep) undone.push(position);
    if (undone.length > 200) undone.shift();
    position = next;
    found = proof = step = null;
    [width.value, height.value, mines.value] = [position.width, position.height, position.mines];
    text.value = toText(position);
    history.replaceState(null, "", `#analyse/${pack(position)}`);
    draw();
    analyse();
  }

  function back() {
    if (undone.length) change(undone.pop(), { keep: false });
  }

  function resize() {
    const [w, h, m] = [width, height, mines].map(field => Math.min(Math.max(Number(field.min), Math.round(Number(field.value) || 0)), Number(field.max)));
    let cells = "";
    for (let row = 0; row < h; row++) {
      for (let column = 0; column < w; column++) {
        cells += row < position.height && column < position.width ? signAt([row, column]) : "#";
      }
    }
    change({ width: w, height: h, mines: m, cells });
  }

  function read(words_) {
    const parsed = fromText(words_);
    if (parsed) change(parsed);
    else say("This is not a position. Write a line WIDTHxHEIGHT/MINES, then rows of # . 1-8 and F.", "bad");
  }

  async function readFile(file) {
    const kind = file.name.split(".").pop().toLowerCase();
    if (!FILES.includes(kind)) { say(`${file.name}: unknown file type. Use one of ${FILES.join(", ")}.`, "bad"); return; }
    try {
      const response = await fetch(`/api/files/${kind}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
      const facts = await response.json();
      if (!response.ok) throw new Error(facts.error);
      if (facts.holds === "position") read(facts.position);
      else if (facts.holds === "board") location.hash = `play/code=${encodeURIComponent(facts.code)}`;
      else openReview(facts.record);
    } catch (error) {
      say(`${file.name}: ${error.message}`, "bad");
    }
  }

  function openReview(record) {
    closeReview();
    say("Reviewing the recorded game below.", "good");
    review = reviewPanel({ record }, view => board.show(view), () => { closeReview(); draw(); analyse(); });
    under.replaceChildren(review.element);
  }

  function closeReview() {
    review?.leave();
    review = null;
    under.replaceChildren();
  }

  // Analysis ----------------------------------------------------------------------------------------

  const askAnalysis = newest((asked, options) => ask("/api/analyse", asked, options));
  const askProof = newest((asked, options) => ask("/api/explain", asked, options));
  let timer = null;

  function analyse() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      try {
        const answer = await askAnalysis({ position: toText(position) });
        if (!answer || gone || review) return;
        found = answer;
        tell();
      } catch (error) {
        found = { clash: error.facts?.numbers ?? [] };
        summary.replaceChildren(make("p", { className: "message bad" }, error.message));
        announce(error.message);
      }
      draw();
    }, 60);
  }

  function tell() {
    const best = found.best, said = [];
    const count = found.layouts === null ? "The layouts could not be counted in time." : `${formatPlural(found.layouts, "layout")}.`;
    const certain = `${formatPlural(found.safe_cells.length, "safe cell")}, ${formatPlural(found.mine_cells.length, "certain mine")}.`;
    said.push(`${certain} ${count}${found.exact ? "" : " The risks are estimates."}`);
    if (best) {
      const win = best.win_chance === null ? "" : `, win probability ${formatPercent(best.win_chance, 1)} %`;
      said.push(`Best move: ${describeCell(best.cell)}, ${best.risk === 0 ? "safe" : `risk ${formatPercent(best.risk)} %`}${win}.`);
    }
    summary.replaceChildren(...said.map(line => make("p", {}, line)));
    announce(said.join(" "));
  }

  async function choose(cell) {
    const asked = { position: toText(position) };
    if (cell && "#F".includes(signAt(cell))) asked.cell = cell;
    words.replaceChildren(make("p", {}, "Computing..."));
    try {
      const answer = await askProof(asked);
      if (!answer || gone) return;
      proof = answer;
      step = null;
      showProof();
    } catch (error) {
      proof = null;
      words.replaceChildren(make("p", {}, error.message));
      announce(error.message);
    }
    draw();
  }

  function showProof() {
    if (!proof.steps) {
      words.replaceChildren(make("p", {}, make("strong", {}, proof.due)), make("p", {}, `Open ${describeCell(proof.cell)}: ${proof.why}`),
        make("table", { className: "keys" }, ...proof.candidates.map(each => make("tr", {}, make("td", {}, describeCell(each.cell)), make("td", {}, `risk ${formatPercent(each.risk)} %`)))));
      return;
    }
    const [title, ...lines] = proof.text;
    const items = lines.map(line => {
      const label = /^\s*([\d.]+)\.\s/.exec(line)?.[1];
      const item = make("li", {}, button(line, () => { step = label && step !== label ? label : null; showProof(); draw(); }, { "aria-pressed": String(label === step) }));
      return item;
    });
    words.replaceChildren(make("p", {}, make("strong", {}, title)), make("ol", { className: "moves" }, ...items));
  }

  const every = steps => steps.flatMap(each => [...every(each.steps), each]);

  function overlay() {
    const base = { risks: [], safe: found?.safe_cells ?? [], mines: found?.mine_cells ?? [], area: [], numbers: [], target: null };
    if (heat.checked && found?.risk) base.risks = risksOf(found);
    if (!proof) return { ...base, target: found?.best?.cell ?? null };
    base.target = proof.cell;
    const shown = every(proof.steps ?? []).filter(each => step === null || each.label === step);
    base.numbers = shown.flatMap(each => each.number ? [each.number] : []);
    base.area = step === null ? [] : shown.flatMap(each => each.rule === "mine count" ? [] : each.cells);
    return base;
  }

  function draw() {
    if (review) return; // The review draws the board.
    board.show({ ...position, overlay: overlay(), clash: found?.clash ?? [] });
  }

  function say(text_, kind = "") {
    summary.replaceChildren(make("p", { className: `message ${kind}` }, text_));
    announce(text_);
  }

  // Layout ------------------------------------------------------------------------------------------

  const heat = make("input", { type: "checkbox", checked: true, onchange: draw });
  const brushes = make("div", { className: "bar", role: "radiogroup", "aria-label": "Brush" });
  function fillBrushes() {
    brushes.replaceChildren(...[...BRUSHES, "why"].map(sign => button(sign === "why" ? "Why?" : sign, () => { brush = sign; fillBrushes(); },
      { "aria-pressed": String(sign === brush), "aria-label": sign === "why" ? "explain a cell" : NAMES[sign] ?? `number ${sign}`, title: sign === "why" ? "Click a cell to see its proof" : NAMES[sign] ?? "" })));
  }
  fillBrushes();
  for (const field of [width, height, mines]) field.addEventListener("change", resize);

  async function save(kind) {
    const name = `position.${kind}`;
    let blob;
    if (kind === "txt") blob = new Blob([toText(position), "\n"], { type: "text/plain" });
    else if (kind === "png") blob = await new Promise(done => board.canvas.toBlob(done));
    else {
      const response = await fetch("/api/picture", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ position: toText(position), heat: heat.checked }) });
      if (!response.ok) { say((await response.json()).error, "bad"); return; }
      blob = await response.blob();
    }
    const link = make("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  async function share() {
    try {
      await navigator.clipboard.writeText(location.href);
      say("Copied the URL of this position.", "good");
    } catch {
      say("The URL could not be copied. The URL in the address bar contains the position.");
    }
  }

  main.append(
    make("section", { className: "stack", "aria-label": "Position" }, brushes, board.element, summary, under,
      make("div", { className: "bar" }, make("label", { className: "field" }, "Width ", width), make("label", { className: "field" }, "Height ", height), make("label", { className: "field" }, "Mines ", mines),
        make("label", { className: "field" }, heat, "Risks"), button("Undo", back), button("Clear", () => change({ ...position, cells: "#".repeat(position.width * position.height) })),
        button("Explain the best move", () => choose(found?.best?.cell)), button("Copy URL", share), button("Save text", () => save("txt")), button("Save SVG", () => save("svg")), button("Save PNG", () => save("png")))),
    make("aside", { className: "stack", "aria-label": "Explanation and text" },
      make("div", { className: "panel stack" }, make("h2", {}, "Explanation"), words),
      make("div", { className: "panel stack" }, make("h2", {}, "Position as text"), text,
        make("div", { className: "bar" }, button("Load text", () => read(text.value)), make("label", { className: "field" }, "File ", make("input", { type: "file", onchange: event => event.target.files[0] && readFile(event.target.files[0]) }))),
        make("p", {}, "Drag to paint cells; drag with the right button to paint flags. Turn the wheel to change a cell. With the keyboard, move with the arrow keys and type 0 to 8, H (hidden) or F (flag). You can also drop a file on the page."))));

  const onDrop = event => { event.preventDefault(); if (event.dataTransfer.files[0]) readFile(event.dataTransfer.files[0]); };
  const onDrag = event => event.preventDefault();
  const redraw = () => board.refresh();
  main.addEventListener("drop", onDrop);
  main.addEventListener("dragover", onDrag);
  window.addEventListener("themechange", redraw);
  text.value = toText(position);
  draw();
  analyse();
  return () => {
    gone = true;
    review?.leave();
    clearTimeout(timer);
    main.removeEventListener("drop", onDrop);
    main.removeEventListener("dragover", onDrag);
    window.removeEventListener("themechange", redraw);
  };
}
