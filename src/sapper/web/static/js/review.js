// The review of a finished game: a plot of the win probability, the labelled moves, and the board before each move.

import { ask, follow, newest } from "./api.js";
import { announce, button, describeCell, formatPercent, formatPlural, formatPoints, make } from "./dom.js";
import { risksOf, toText } from "./positions.js";
import { positionsOf } from "./replay.js";

const FAULTS = new Set(["inaccuracy", "mistake", "blunder", "needless guess"]);
const SHAPES = { blunder: "◆", mistake: "▲", inaccuracy: "■", "needless guess": "✖", "forced guess": "●", fine: "○" };

const MOST_KEPT = 500_000; // The most cells whose risks are cached, over all positions.

const percent = probability => `${formatPercent(probability, 1)} %`;

// Returns a panel with the review of a stored game or of a record. `show` draws a view; `back` restores the board.
export function reviewPanel({ name, record }, show, back) {
  const status = make("p", { role: "status" }, "Reviewing the game...");
  const bar = make("progress", { "aria-label": "Positions reviewed" }), count = make("span", { className: "figures" });
  const waiting = make("div", { className: "bar" }, bar, count, button("Stop", stop));
  const element = make("section", { className: "panel stack", "aria-label": "Review" }, make("h2", {}, "Review"), status, waiting);
  const controller = new AbortController();
  const leave = () => { controller.abort(); window.removeEventListener("keydown", onKey); };
  let onKey = () => {};
  (async () => {
    try {
      const { signal } = controller;
      const [text, review] = await Promise.all([
        record ?? ask(`/api/games/${name}/record`, undefined, { signal }).then(answer => answer.record),
        follow("/api/review", record ? { record } : { game: name }, tell, { signal }),
      ]);
      waiting.remove();
      fill(JSON.parse(text), review);
    } catch (error) {
      if (error.name === "AbortError") return;
      leave();
      waiting.remove();
      status.textContent = `The review failed: ${error.message}.`;
    }
  })();

  function tell(done, of) {
    Object.assign(bar, { max: of, value: done });
    count.textContent = `${done} of ${formatPlural(of, "position")}`;
  }

  function stop() {
    leave();
    element.remove();
    back();
    announce("Review stopped.");
  }

  function fill(record, review) {
    const cells = positionsOf(record);
    const graded = review.moves.filter(move => move.cells.length);
    const accuracy = review.accuracy === null ? "No decisions to rate." : `Accuracy ${review.accuracy.toFixed(1)} over ${formatPlural(review.decisions, "decision")}.`;
    const risks = review.outcome === "lost" ? "the risks before the losing move" : "all risks taken";
    const survival = `Probability of surviving ${risks}: ${percent(review.survived)}. With the lowest risk at every move: ${percent(review.least_survival)}.`;
    status.textContent = [accuracy, survival, ...review.notes].join(" ");
    let onBoard = null;
    const home = button("Back", () => { onBoard = null; back(); });
    if (!graded.length) { element.append(home); return; }
    const faults = graded.filter(move => FAULTS.has(move.label));
    let chosen = (faults[0] ?? graded[0]).number, all = faults.length === 0;
    const list = make("ol", { className: "moves", "aria-label": "Moves" });
    const words = make("div", { className: "words stack" });
    const plot = drawPlot(graded, number => choose(number));

    const askAnalysis = newest((position, options) => ask("/api/analyse", { position }, options));
    const heats = new Map(); // By move number.

    function choose(number) {
      const move = review.moves[number - 1];
      chosen = number;
      draw(move);
      words.replaceChildren(...describe(move));
      fillList();
      plot.mark(number);
      announce(`Move ${number}: ${move.label ?? move.kind}`);
    }

    function draw(move) {
      const known = heat.checked ? heats.get(move.number) : null;
      const better = move.best && String(move.best) !== String(move.cell) ? move.best : null;
      show({
        width: record.width, height: record.height, cells: cells[move.number - 1], outcome: "review", last: move.cell, better,
        overlay: { risks: [], safe: [], mines: [], area: [], numbers: [], ...known, target: move.missed },
        reveal: move === onBoard ? [] : [better, move.cell].filter(Boolean),
      });
      onBoard = move;
      if (heat.checked && !known) findHeat(move);
    }

    // The risks arrive later; by then the board may show another move.
    async function findHeat(move) {
      try {
        const found = await askAnalysis(toText({ ...record, cells: cells[move.number - 1] }));
        if (!found) return;
        if (heats.size * cells[0].length > MOST_KEPT) heats.clear();
        heats.set(move.number, { risks: risksOf(found), safe: found.safe_cells, mines: found.mine_cells });
        if (move === onBoard && !controller.signal.aborted) draw(move);
      } catch (error) {
        const said = `The risks could not be computed: ${error.message}.`;
        if (move === onBoard) words.append(make("p", {}, said));
        announce(said);
      }
    }

    function fillList() {
      const shown = all ? graded : graded.filter(move => FAULTS.has(move.label) || move.label === "forced guess" || move.number === chosen);
      list.replaceChildren(...shown.map(move => make("li", {}, button("", () => choose(move.number), { "aria-current": String(move.number === chosen) }))));
      shown.forEach((move, at) => list.children[at].firstChild.append(
        make("span", {}, String(move.number)), make("span", {}, describeCell(move.cell)),
        make("span", { className: "label" }, `${SHAPES[move.label] ?? ""} ${move.label ?? ""}${move.loss ? ` −${formatPoints(move.loss)}` : ""}`)));
    }

    function describe(move) {
      const said = [make("p", {}, make("strong", {}, `Move ${move.number} by ${move.by}, ${move.at.toFixed(1)} s: ${move.label ?? "not reviewed"}`))];
      const facts = [];
      if (move.risk !== null) facts.push(`Risk ${percent(move.risk)}`, `lowest risk ${percent(move.least_risk)}`);
      if (move.before) facts.push(`win probability ${move.before.exact ? "" : "about "}${percent(move.before.chance)}`);
      if (move.loss) facts.push(`the move lost ${formatPoints(move.loss)} points`);
      if (move.luck) facts.push(`luck ${move.luck > 0 ? "+" : "−"}${formatPoints(move.luck)} points`);
      if (facts.length) said.push(make("p", {}, `${facts.join("; ")}.`));
      if (move.missed) said.push(make("p", {}, `${describeCell(move.missed)} was certainly safe:`));
      for (const line of move.proof ?? []) said.push(make("p", {}, line));
      return said;
    }

    const step = by => {
      const at = graded.findIndex(move => move.number === chosen);
      choose(graded[Math.min(Math.max(0, at + by), graded.length - 1)].number);
    };
    onKey = event => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by && element.contains(document.activeElement)) { event.preventDefault(); step(by); }
    };
    window.addEventListener("keydown", onKey);
    const heat = make("input", { type: "checkbox", onchange: () => choose(chosen) });
    const every = make("input", { type: "checkbox", checked: all, onchange: event => { all = event.target.checked; fillList(); } });
    element.append(plot.element, make("div", { className: "bar" },
      button("◀ Previous", () => step(-1)), button("Next ▶", () => step(1)), home,
      make("label", { className: "field" }, every, "All moves"), make("label", { className: "field" }, heat, "Risks")), words, list);
    choose(chosen);
  }

  return { element, leave };
}

// Draws the win probability before each move. Estimates are hollow; each kind of fault has its own shape.
function drawPlot(moves, choose) {
  const space = "http://www.w3.org/2000/svg", wide = 600, high = 140, edge = 24;
  const svg = document.createElementNS(space, "svg");
  const known = moves.filter(move => move.before);
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  svg.setAttribute("class", "plot");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "Win probability before each move");
  const last = Math.max(2, moves.at(-1)?.number ?? 2);
  const x = number => edge + (number - 1) / (last - 1) * (wide - 2 * edge);
  const y = chance => high - edge / 2 - chance * (high - edge);
  const add = (name, attributes) => {
    const part = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    svg.append(part);
    return part;
  };
  for (const chance of [0, 0.5, 1]) {
    add("path", { d: `M${edge} ${y(chance)}H${wide - edge}`, stroke: "var(--line)" });
    add("text", { x: 2, y: y(chance) + 4, "font-size": 10, fill: "var(--muted)" }).textContent = `${100 * chance}`;
  }
  if (known.length) add("path", { d: "M" + known.map(move => `${x(move.number)} ${y(move.before.chance)}`).join("L"), fill: "none", stroke: "var(--accent)", "stroke-width": 2 });
  for (const move of known) {
    if (FAULTS.has(move.label)) add("text", { x: x(move.number), y: y(move.before.chance) + 4, "font-size": 13, "text-anchor": "middle", fill: "var(--bad)" }).textContent = SHAPES[move.label];
    else add("circle", { cx: x(move.number), cy: y(move.before.chance), r: 2.5, fill: move.before.exact ? "var(--accent)" : "var(--panel)", stroke: "var(--accent)" });
  }
  const line = add("path", { stroke: "var(--focus)", "stroke-width": 2, d: "" });
  svg.addEventListener("click", event => {
    const box = svg.getBoundingClientRect();
    const number = 1 + ((event.clientX - box.left) / box.width * wide - edge) / (wide - 2 * edge) * (last - 1);
    const nearest = moves.reduce((best, move) => Math.abs(move.number - number) < Math.abs(best.number - number) ? move : best);
    choose(nearest.number);
  });
  return { element: svg, mark: number => line.setAttribute("d", `M${x(number)} 4V${high - 4}`) };
}
