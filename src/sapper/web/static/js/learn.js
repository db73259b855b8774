// The page to learn on: the course's agent plays, and every inference it makes can be gone through, forth and back.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { announce, button, describeCell, make } from "./dom.js";

export function learnPage(main) {
  let game = null, at = 0, gone = false, running = null;
  const board = new Board({ key: pressKey });
  const said = make("p", { className: "message", role: "status" });
  const list = make("ul", { className: "sentences", "aria-label": "Knowledge" });
  const facts = make("p", {});
  const slider = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "inference", oninput: () => go(Number(slider.value)) });
  const level = make("select", { "aria-label": "level" }, ...[["course", "8 x 8, 8 mines"], ["5x5/4", "5 x 5, 4 mines"], ["beginner", "9 x 9, 10 mines"]].map(([value, text]) => make("option", { value }, text)));

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

  // What the agent knows after so many events: played through from the start, which is quick.
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

  const asText = ({ cells, count }) => `{${cells.map(cell => `(${cell.replace(",", ", ")})`).join(", ")}} = ${count}`;

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
    facts.textContent = `${now.sentences.size} sentences, ${now.safe.size} cells known to be safe, ${now.mines.size} mines. Step ${at} of ${game.events.length}.`;
    said.textContent = event ? describe(event, before) : "The agent knows nothing yet. Go on, one inference at a time.";
    announce(said.textContent);
    if (at) list.querySelector(".new, .used")?.scrollIntoView({ block: "nearest" });
  }

  function describe(event, before) {
    const sentence = number => asText(before.sentences.get(number) ?? { cells: [], count: 0 });
    switch (event.do) {
      case "open": return event.mine ? `It opened ${describeCell(event.cell)}: a mine.` : `It opened ${describeCell(event.cell)}, ${event.known ? "which it knew to be safe" : "at random"}: ${event.count}.`;
      case "add": return event.since.length ? `One sentence is inside the other: from ${sentence(event.since[0])} take ${sentence(event.since[1])}. A new sentence.` : "What the number says of the cells around it that are not known yet: a new sentence.";
      case "settle": return `This sentence settles its cells: ${sentence(event.number)}.`;
      case "mark": return `${describeCell(event.cell)} is ${event.as === "mine" ? "a mine" : "safe"}: it is struck from every sentence.`;
      case "drop": return `Two sentences say the same: one goes.`;
      default: return event.outcome === "won" ? "All is known: won." : event.outcome === "lost" ? "Lost: logic alone did not suffice." : "The end.";
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
      make("div", { className: "panel stack" }, make("h2", {}, "How it thinks"),
        make("p", {}, "A sentence says how many of some cells are mines. If that is none of them, or all, its cells are settled and struck from all other sentences. If the cells of one are among those of another, the rest is a new sentence. That goes on until nothing new follows; then it opens a safe cell or, if it knows none, a random one."),
        make("p", {}, "Keys: . and , go forth and back, M to the next move, P runs, N begins anew."))));
  const redraw = () => board.refresh();
  window.addEventListener("themechange", redraw);
  begin();
  return () => { gone = true; stop(); window.removeEventListener("themechange", redraw); };
}
