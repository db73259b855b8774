// The Learn page: the course's agent plays, and the reader steps forwards and backwards through its inferences.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { announce, button, formatPlural, make } from "./dom.js";

export function learnPage(main) {
  let game = null, at = 0, gone = false, running = null;
  const board = new Board({ key: pressKey });
  const said = make("p", { className: "message", role: "status" });
  const list = make("ul", { className: "sentences", "aria-label": "Knowledge" });
  const facts = make("p", {});
  const slider = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "inference", oninput: () => go(Number(slider.value)) });
  const level = make("select", { "aria-label": "level" }, ...[["course", "8x8, 8 mines"], ["5x5/4", "5x5, 4 mines"], ["beginner", "9x9, 10 mines"]].map(([value, text]) => make("option", { value }, text)));

  async function begin() {
    stop();
    try {
      game = await ask("/api/learn", { level: level.value });
    } catch (error) {
      said.textContent = error.message;
      return;
    }
    if (gone) return;
    slider.max = game.events.length;
    go(0);
  }

  // Returns what the agent knows after `count` events. Replaying from the start is quick enough.
  function knowledgeAt(count) {
    const sentences = new Map(), cells = Array(game.width * game.height).fill("#"), safe = new Map(), mines = new Map();
    const place = ([row, column]) => row * game.width + column;
    let exploded = [];
    for (const event of game.events.slice(0, count)) {
      if (event.do === "open") {
        if (event.mine) exploded = [event.cell];
        else cells[place(event.cell)] = event.count ? String(event.count) : ".";
      } else if (event.do === "add") {
        sentences.set(event.number, { cells: event.cells.map(String), count: event.count });
      } else if (event.do === "drop") {
        sentences.delete(event.number);
      } else if (event.do === "mark") {
        (event.as === "mine" ? mines : safe).set(String(event.cell), event.cell);
        for (const [number, sentence] of sentences) {
          if (!sentence.cells.includes(String(event.cell))) continue;
          sentence.cells = sentence.cells.filter(cell => cell !== String(event.cell));
          if (event.as === "mine") sentence.count--;
          if (!sentence.cells.length) sentences.delete(number);
        }
      }
    }
    return { sentences, cells: cells.join(""), safe, mines, exploded };
  }

  // Cells are counted from 0, as in the course's file. The rest of the page counts from 1.
  const formatCell = cell => `(${String(cell).split(",").join(", ")})`;
  const asText = ({ cells, count }) => `{${cells.map(formatCell).join(", ")}} = ${count}`;

  function go(count) {
    at = Math.min(Math.max(0, count), game.events.length);
    slider.value = at;
    const now = knowledgeAt(at), event = game.events[at - 1], before = at ? knowledgeAt(at - 1) : now;
    const involved = new Set(event?.since ?? []);
    if (event?.do === "settle") involved.add(event.number);
    const hidden = cell => now.cells[cell[0] * game.width + cell[1]] === "#";
    board.show({
      width: game.width, height: game.height, cells: now.cells, last: event?.cell ?? null, exploded: now.exploded,
      outcome: event?.do === "end" ? event.outcome : "learning",
      mine_cells: event?.do === "end" ? game.minefield : [],
      overlay: {
        risks: [], safe: [...now.safe.values()].filter(hidden), mines: [...now.mines.values()].filter(hidden),
        area: event?.cells ?? [], numbers: [], target: event?.do === "mark" ? event.cell : null,
      },
    });
    list.replaceChildren(...[...now.sentences].map(([number, sentence]) => {
      const isNew = event?.do === "add" && event.number === number;
      return make("li", { className: isNew ? "new" : involved.has(number) ? "used" : "" }, asText(sentence));
    }));
    if (event?.do === "drop") list.append(make("li", { className: "gone" }, asText(before.sentences.get(event.number) ?? { cells: [], count: 0 })));
    facts.textContent = `${formatPlural(now.sentences.size, "sentence")}, ${formatPlural(now.safe.size, "safe cell")}, ${formatPlural(now.mines.size, "mine")}. Step ${at} of ${game.events.length}.`;
    said.textContent = event ? describe(event, before) : "The agent knows nothing yet. Press Next to see its first step.";
    announce(said.textContent);
    if (at) list.querySelector(".new, .used")?.scrollIntoView({ block: "nearest" });
  }

  function describe(event, before) {
    const sentence = number => asText(before.sentences.get(number) ?? { cells: [], count: 0 });
    const mentions = cell => [...before.sentences.values()].filter(({ cells }) => cells.includes(String(cell))).length;
    const removed = count => count ? ` It is removed from ${formatPlural(count, "sentence")}.` : "";
    switch (event.do) {
      case "open": return event.mine ? `The agent opened cell ${formatCell(event.cell)}, which was a mine.` : `The agent opened cell ${formatCell(event.cell)} ${event.known ? "because it knew that it was safe" : "at random"}. It shows ${event.count}.`;
      case "add": return event.since.length ? `New sentence: ${sentence(event.since[0])} minus its subset ${sentence(event.since[1])}.` : "New sentence: what the number says about its undetermined neighbours.";
      case "settle": return `This sentence determines its cells: ${sentence(event.number)}.`;
      case "mark": return `Cell ${formatCell(event.cell)} is ${event.as === "mine" ? "a mine" : "safe"}.${removed(mentions(event.cell))}`;
      case "drop": return "Two sentences are equal, so one is removed.";
      default: return event.outcome === "won" ? "The agent won." : event.outcome === "lost" ? "The agent lost: logic alone was not enough." : "The game is over.";
    }
  }

  function nextMove() {
    const next = game.events.findIndex((event, index) => index >= at && event.do === "open");
    go(next < 0 ? game.events.length : next + 1);
  }

  function pressKey(event) {
    const act = { ".": () => go(at + 1), ",": () => go(at - 1), n: begin, p: run, m: nextMove }[event.key.toLowerCase()];
    if (act && game) { event.preventDefault(); act(); }
  }

  function run() {
    if (running) { stop(); return; }
    play.setAttribute("aria-pressed", "true");
    running = setInterval(() => { if (at >= game.events.length) stop(); else go(at + 1); }, 500);
  }
  function stop() {
    clearInterval(running);
    running = null;
    play.setAttribute("aria-pressed", "false");
  }
  const play = button("Run", run, { "aria-pressed": "false" });
  main.append(
    make("section", { className: "stack", "aria-label": "The agent's game" }, board.element, said, slider,
      make("div", { className: "bar" }, button("◀ Back", () => go(at - 1)), button("Next ▶", () => go(at + 1), { className: "main" }), button("Next move", nextMove), play, level, button("New game", begin))),
    make("aside", { className: "stack" },
      make("div", { className: "panel stack" }, make("h2", {}, "Knowledge"), facts, list),
      make("div", { className: "panel stack" }, make("h2", {}, "How the agent reasons"),
        make("p", {}, "A sentence says how many of its cells are mines. If the count is zero or equals the number of cells, all its cells are determined and are removed from every other sentence. If the cells of one sentence are a subset of another's, their difference is a new sentence. The agent repeats this until nothing new follows. Then it opens a safe cell or, if it knows none, a random one. A cell is written (i, j), as in the course's minesweeper.py: row i and column j, both counted from 0."),
        make("p", {}, "Keys: Period and Comma step forwards and backwards, M goes to the next move, P runs or stops, N starts a new game."))));
  const redraw = () => board.refresh();
  window.addEventListener("themechange", redraw);
  begin();
  return () => { gone = true; stop(); window.removeEventListener("themechange", redraw); };
}
