// A board on a canvas. It redraws only the cells that changed, and turns mouse, touch and key events into
// the callbacks `open`, `mark`, `paint` and `cursor`. It knows nothing about games.

import { announce, describeCell, formatPercent, make } from "./dom.js";

const SMALLEST = 16, LARGEST = 56, LONG_PRESS = 420, DRAG = 8;

export class Board {
  // `on` may have the callbacks open(cell), mark(cell), paint(cell, event) and cursor(cell).
  constructor(on = {}) {
    this.on = on;
    this.canvas = make("canvas", { tabIndex: 0, role: "application" });
    this.canvas.setAttribute("aria-roledescription", "Minesweeper board");
    this.element = make("div", { className: "board" }, this.canvas);
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.view = { width: 0, height: 0, cells: "" };
    this.zoom = 1;
    this.left = this.top = 0;
    this.cursor = [0, 0];
    this.looks = [];
    this.flagMode = false;
    this.pointers = new Map();
    this.listen();
    new ResizeObserver(() => this.arrange()).observe(this.element);
  }

  // Shows a view: width, height, cells (one character each: . 1-8 # F), overlays, and cells to scroll into view.
  show(view) {
    const sized = view.width !== this.view.width || view.height !== this.view.height;
    this.view = {
      questions: [], exploded: [], mine_cells: [], overlay: null, last: null, first: null, better: null, reveal: [], ...view,
    };
    const set = cells => new Set(cells.map(cell => this.place(cell)));
    this.marks = {
      questions: set(this.view.questions), exploded: set(this.view.exploded), mines: set(this.view.mine_cells),
      last: this.view.last && this.place(this.view.last),
      better: this.view.better && this.place(this.view.better),
      first: this.view.first && !/[.1-8]/.test(this.view.cells) ? this.place(this.view.first) : null,
      clash: set(this.view.clash ?? []),
    };
    const overlay = this.view.overlay;
    this.over = {
      risks: new Map((overlay?.risks ?? []).map(([row, column, risk]) => [this.place([row, column]), risk])),
      safe: set(overlay?.safe ?? []), mines: set(overlay?.mines ?? []), area: set(overlay?.area ?? []),
      numbers: set(overlay?.numbers ?? []),
      target: overlay?.target ? this.place(overlay.target) : null,
    };
    if (sized) {
      this.cursor = [Math.floor(view.height / 2), Math.floor(view.width / 2)];
      this.left = this.top = 0;
      this.zoom = 1;
      this.arrange();
    }
    if (this.view.reveal.map(cell => this.reveal(cell)).includes(true)) this.refresh();
    else if (!sized) this.draw();
    this.canvas.setAttribute("aria-label", `Board of ${view.width} by ${view.height} cells. ${this.describe(this.cursor)}`);
  }

  place([row, column]) { return row * this.view.width + column; }
  cellOf(place) { return [Math.floor(place / this.view.width), place % this.view.width]; }

  // Geometry --------------------------------------------------------------------------------------

  arrange() {
    const { width, height } = this.view;
    if (!width || !this.element.clientWidth) return;
    const room = { width: this.element.clientWidth, height: Math.max(160, window.innerHeight * 0.78) };
    const fitting = Math.floor(Math.min(room.width / width, room.height / height));
    this.size = Math.round(Math.min(Math.max(fitting, SMALLEST), LARGEST) * this.zoom);
    this.seen = {
      width: Math.min(width * this.size, room.width), height: Math.min(height * this.size, Math.floor(room.height)),
    };
    this.density = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.seen.width * this.density);
    this.canvas.height = Math.round(this.seen.height * this.density);
    this.canvas.style.width = `${this.seen.width}px`;
    this.canvas.style.height = `${this.seen.height}px`;
    this.scroll(0, 0);
    this.refresh();
  }

  scroll(right, down) {
    const most = (cells, seen) => Math.max(0, cells * this.size - seen);
    const left = Math.min(Math.max(0, this.left + right), most(this.view.width, this.seen.width));
    const top = Math.min(Math.max(0, this.top + down), most(this.view.height, this.seen.height));
    const moved = left !== this.left || top !== this.top;
    this.left = left;
    this.top = top;
    return moved;
  }

  // Scrolls a cell into view; returns whether that was necessary.
  reveal([row, column]) {
    if (!this.size) return false;
    const [x, y] = [column * this.size, row * this.size];
    const right = Math.min(0, x - this.left) || Math.max(0, x + this.size - this.left - this.seen.width);
    const down = Math.min(0, y - this.top) || Math.max(0, y + this.size - this.top - this.seen.height);
    return this.scroll(right, down);
  }

  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left + this.left) / this.size);
    const row = Math.floor((event.clientY - box.top + this.top) / this.size);
    const inside = row >= 0 && column >= 0 && row < this.view.height && column < this.view.width;
    return inside ? [row, column] : null;
  }

  zoomBy(factor, event) {
    const before = this.size;
    this.zoom = Math.min(Math.max(1, this.zoom * factor), 4);
    const box = this.canvas.getBoundingClientRect();
    const x = (event?.clientX ?? box.left + box.width / 2) - box.left;
    const y = (event?.clientY ?? box.top + box.height / 2) - box.top;
    const [left, top] = [this.left + x, this.top + y];
    this.arrange();
    this.scroll(left * this.size / before - x - this.left, top * this.size / before - y - this.top);
    this.refresh();
  }

  // Drawing ----------------------------------------------------------------------------------------

  refresh() {
    this.looks = [];
    const style = getComputedStyle(document.documentElement);
    const names = ["hidden", "hidden-edge", "open", "grid", "mine", "flag", "burst", "safe", "ink", "cursor", "accent",
      "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "heat", "page"];
    this.colours = Object.fromEntries(names.map(name => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.context.fillStyle = this.colours.grid;
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.draw();
  }

  draw() {
    if (!this.size || !this.colours) return;
    const rows = [Math.floor(this.top / this.size), Math.ceil((this.top + this.seen.height) / this.size)];
    const columns = [Math.floor(this.left / this.size), Math.ceil((this.left + this.seen.width) / this.size)];
    let drawn = 0;
    for (let row = rows[0]; row < Math.min(rows[1], this.view.height); row++) {
      for (let column = columns[0]; column < Math.min(columns[1], this.view.width); column++) {
        const place = this.place([row, column]);
        const look = this.lookOf(place, row, column);
        if (this.looks[place] !== look) {
          this.looks[place] = look;
          this.drawCell(place, row, column);
          drawn++;
        }
      }
    }
    this.drawn = drawn;
  }

  lookOf(place, row, column) {
    const { marks, over } = this;
    const onCursor = this.cursor[0] === row && this.cursor[1] === column && this.hasFocus;
    const bits = [
      marks.questions.has(place), marks.exploded.has(place), marks.mines.has(place), marks.last === place,
      marks.first === place, marks.better === place, marks.clash.has(place), over.safe.has(place), over.mines.has(place),
      over.area.has(place), over.numbers.has(place), over.target === place, onCursor,
    ];
    return this.view.cells[place] + bits.map(Number).join("") + (over.risks.get(place) ?? "");
  }

  drawCell(place, row, column) {
    const { context, colours, marks, over } = this;
    const s = this.size;
    context.setTransform(this.density, 0, 0, this.density, 0, 0);
    context.translate(column * s - this.left, row * s - this.top);
    const sign = this.view.cells[place];
    const hidden = sign === "#" || sign === "F";
    context.fillStyle = colours.grid;
    context.fillRect(0, 0, s, s);
    context.fillStyle = marks.exploded.has(place) ? colours.burst : hidden ? colours.hidden : colours.open;
    context.fillRect(0.5, 0.5, s - 1, s - 1);
    if (hidden) {
      context.fillStyle = colours["hidden-edge"];
      context.fillRect(0.5, s - Math.max(2, s / 12), s - 1, Math.max(2, s / 12) - 0.5);
    }
    const risk = over.risks.get(place);
    if (hidden && risk !== undefined) this.drawRisk(risk, place, sign);
    if (marks.mines.has(place) || marks.exploded.has(place)) {
      this.drawMine(colours.mine, 1);
      if (sign === "F") this.drawFlag(0.55, s * 0.2, -s * 0.2);
    } else if (sign === "F") {
      this.drawFlag(1, 0, 0);
      if (this.view.outcome === "lost") this.drawCross();
    } else if (marks.questions.has(place)) {
      this.write("?", colours.ink, 0.62);
    } else if (!hidden && sign !== ".") {
      this.write(sign, colours[`n${sign}`], 0.66, true);
    } else if (hidden && risk === undefined && over.safe.has(place)) {
      this.drawTick();
    } else if (hidden && risk === undefined && over.mines.has(place)) {
      this.drawMine(colours.mine, 0.7);
    }
    if (over.area.has(place)) this.frame(colours.accent, 2, [3, 3]);
    if (over.numbers.has(place)) this.ring(colours.accent, 2.5);
    if (marks.first === place) this.ring(colours.safe, 3);
    if (marks.last === place) this.frame(colours.accent, 2);
    if (marks.better === place) this.frame(colours.safe, 3);
    if (marks.clash.has(place)) { this.frame(colours.burst, 3); }
    if (over.target === place) this.ring(colours.cursor, 3);
    if (this.hasFocus && this.cursor[0] === row && this.cursor[1] === column) this.corners(colours.cursor);
  }

  drawRisk(risk, place, sign) {
    const { context, colours, over } = this, s = this.size;
    if (over.safe.has(place)) { this.drawTick(); return; }
    if (over.mines.has(place)) { if (sign !== "F") this.drawMine(colours.mine, 0.7); return; }
    context.fillStyle = `rgba(${colours.heat}, ${0.12 + 0.78 * risk})`;
    context.fillRect(1, 1, s - 2, s - 2);
    if (s >= 22 && sign !== "F") this.write(formatPercent(risk), colours.ink, 0.36);
  }

  write(text, colour, share, bold = false) {
    const { context } = this, s = this.size;
    context.fillStyle = colour;
    context.font = `${bold ? 700 : 600} ${s * share}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, s / 2, s / 2 + s * 0.04);
  }

  drawMine(colour, share) {
    const { context } = this, s = this.size, r = s * 0.2 * share;
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = Math.max(1, s * 0.08 * share);
    context.beginPath();
    for (let arm = 0; arm < 4; arm++) {
      const angle = arm * Math.PI / 4, x = Math.cos(angle) * r * 1.7, y = Math.sin(angle) * r * 1.7;
      context.moveTo(s / 2 - x, s / 2 - y);
      context.lineTo(s / 2 + x, s / 2 + y);
    }
    context.stroke();
    context.beginPath();
    context.arc(s / 2, s / 2, r, 0, 2 * Math.PI);
    context.fill();
  }

  drawFlag(share, right, down) {
    const { context, colours } = this, s = this.size;
    context.save();
    context.translate(s / 2 + right, s / 2 + down);
    context.scale(share, share);
    context.fillStyle = colours.ink;
    context.fillRect(-s * 0.14, -s * 0.3, Math.max(1.5, s * 0.07), s * 0.58);
    context.fillRect(-s * 0.24, s * 0.24, s * 0.34, Math.max(1.5, s * 0.08));
    context.fillStyle = colours.flag;
    context.beginPath();
    context.moveTo(-s * 0.08, -s * 0.32);
    context.lineTo(s * 0.26, -s * 0.14);
    context.lineTo(-s * 0.08, s * 0.03);
    context.fill();
    context.restore();
  }

  drawCross() {
    const { context, colours } = this, s = this.size;
    context.strokeStyle = colours.ink;
    context.lineWidth = Math.max(2, s * 0.09);
    context.beginPath();
    context.moveTo(s * 0.15, s * 0.15);
    context.lineTo(s * 0.85, s * 0.85);
    context.moveTo(s * 0.85, s * 0.15);
    context.lineTo(s * 0.15, s * 0.85);
    context.stroke();
  }

  drawTick() {
    const { context, colours } = this, s = this.size;
    context.fillStyle = colours.safe;
    context.fillRect(1, 1, s - 2, s - 2);
    context.strokeStyle = colours.page;
    context.lineWidth = Math.max(2, s * 0.11);
    context.beginPath();
    context.moveTo(s * 0.26, s * 0.52);
    context.lineTo(s * 0.43, s * 0.7);
    context.lineTo(s * 0.75, s * 0.32);
    context.stroke();
  }

  frame(colour, line, dashes = []) {
    const { context } = this, s = this.size;
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.setLineDash(dashes);
    context.strokeRect(1 + line / 2, 1 + line / 2, s - 2 - line, s - 2 - line);
    context.setLineDash([]);
  }

  ring(colour, line) {
    const { context } = this, s = this.size;
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.beginPath();
    context.arc(s / 2, s / 2, s / 2 - 1 - line / 2, 0, 2 * Math.PI);
    context.stroke();
  }

  corners(colour) {
    const { context } = this, s = this.size, arm = s * 0.3, line = Math.max(2, s * 0.09);
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.beginPath();
    for (const [x, y, right, down] of [[1, 1, 1, 1], [s - 1, 1, -1, 1], [1, s - 1, 1, -1], [s - 1, s - 1, -1, -1]]) {
      context.moveTo(x + right * arm, y + down * line / 2);
      context.lineTo(x + right * line / 2, y + down * line / 2);
      context.lineTo(x + right * line / 2, y + down * arm);
    }
    context.stroke();
  }

  // Descriptions for screen readers -----------------------------------------------------------------

  describe(cell) {
    const place = this.place(cell), sign = this.view.cells[place];
    let words = { "#": "hidden", F: "flagged", ".": "empty" }[sign] ?? sign;
    if (this.marks?.questions.has(place)) words = "question mark";
    if (this.marks?.mines.has(place)) words = "mine";
    if (this.marks?.exploded.has(place)) words = "exploded mine";
    const said = [`${describeCell(cell)}: ${words}`];
    const risk = this.over?.risks.get(place);
    if (this.over?.safe.has(place)) said.push("certainly safe");
    else if (this.over?.mines.has(place)) said.push("certainly a mine");
    else if (risk !== undefined) said.push(`risk ${formatPercent(risk)} %`);
    return said.join(", ");
  }

  moveCursor(row, column) {
    this.cursor = [
      Math.min(Math.max(0, row), this.view.height - 1), Math.min(Math.max(0, column), this.view.width - 1),
    ];
    if (this.reveal(this.cursor)) this.refresh();
    else this.draw();
    announce(this.describe(this.cursor));
    this.on.cursor?.(this.cursor);
  }

  // Input -------------------------------------------------------------------------------------------

  listen() {
    const { canvas } = this;
    canvas.addEventListener("contextmenu", event => event.preventDefault());
    canvas.addEventListener("focus", () => { this.hasFocus = canvas.matches(":focus-visible"); this.draw(); });
    canvas.addEventListener("blur", () => { this.hasFocus = false; this.draw(); });
    canvas.addEventListener("keydown", event => this.key(event));
    canvas.addEventListener("pointerdown", event => this.press(event));
    canvas.addEventListener("pointermove", event => this.move(event));
    canvas.addEventListener("pointerup", event => this.release(event));
    canvas.addEventListener("pointercancel", event => this.drop(event));
    canvas.addEventListener("wheel", event => this.wheel(event), { passive: false });
  }

  key(event) {
    const steps = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      PageUp: [-10, 0], PageDown: [10, 0], Home: [0, -this.view.width], End: [0, this.view.width],
    }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (steps) {
      this.hasFocus = true;
      this.moveCursor(this.cursor[0] + steps[0], this.cursor[1] + steps[1]);
    } else if (event.key === " " || event.key === "Enter") {
      this.on.open?.(this.cursor);
    } else if (event.key === "f" || event.key === "F") {
      this.on.mark?.(this.cursor);
    } else if (event.key === "+" || event.key === "=") {
      this.zoomBy(1.25);
    } else if (event.key === "-") {
      this.zoomBy(0.8);
    } else {
      this.on.key?.(event, this.cursor);
      return;
    }
    event.preventDefault();
  }

  press(event) {
    this.canvas.focus({ preventScroll: true });
    if (event.button === 1) event.preventDefault();
    const pointer = {
      x: event.clientX, y: event.clientY, cell: this.cellAt(event), button: event.button, dragged: event.button === 1,
    };
    this.pointers.set(event.pointerId, pointer);
    this.canvas.setPointerCapture(event.pointerId);
    if (pointer.cell && this.on.paint && event.button !== 1 && this.pointers.size === 1) {
      this.on.paint(pointer.cell, event, true);
      return;
    }
    if (event.pointerType !== "mouse" && this.pointers.size === 1) {
      pointer.timer = setTimeout(() => {
        pointer.used = true;
        if (pointer.cell) this.act(pointer.cell, !this.flagMode);
        navigator.vibrate?.(15);
      }, LONG_PRESS);
    }
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const [right, down] = [event.clientX - pointer.x, event.clientY - pointer.y];
    if (this.pointers.size === 2) this.pinch(event, pointer);
    const large = this.view.width * this.size > this.seen.width + 1 || this.view.height * this.size > this.seen.height + 1;
    const far = Math.hypot(right, down) > DRAG;
    if (this.on.paint && pointer.button !== 1 && this.pointers.size === 1) {
      const cell = this.cellAt(event);
      if (cell && String(cell) !== String(pointer.cell)) { pointer.cell = cell; this.on.paint(cell, event, false); }
      return;
    }
    if (pointer.dragged || (far && large && event.pointerType !== "mouse")) {
      clearTimeout(pointer.timer);
      pointer.dragged = true;
      if (this.scroll(-right, -down)) this.refresh();
      pointer.x = event.clientX;
      pointer.y = event.clientY;
    }
  }

  pinch(event, pointer) {
    const [one, other] = [...this.pointers.values()];
    const before = Math.hypot(one.x - other.x, one.y - other.y);
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    const after = Math.hypot(one.x - other.x, one.y - other.y);
    for (const each of [one, other]) { each.used = true; clearTimeout(each.timer); }
    if (before > 10 && Math.abs(after / before - 1) > 0.01) this.zoomBy(after / before, event);
  }

  release(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.drop(event);
    if (!pointer || pointer.used || pointer.dragged || this.on.paint || !pointer.cell) return;
    const cell = this.cellAt(event);
    if (!cell || String(cell) !== String(pointer.cell)) return;
    this.cursor = cell;
    this.on.cursor?.(cell);
    this.act(cell, pointer.button === 2 || (event.pointerType !== "mouse" && this.flagMode));
  }

  drop(event) {
    clearTimeout(this.pointers.get(event.pointerId)?.timer);
    this.pointers.delete(event.pointerId);
  }

  act(cell, marks) {
    const isOpen = /[.1-8]/.test(this.view.cells[this.place(cell)]);
    if (marks && !isOpen) this.on.mark?.(cell);
    else if (!marks || isOpen) this.on.open?.(cell);
  }

  wheel(event) {
    if (this.on.wheel) {
      const cell = this.cellAt(event);
      if (cell && !event.ctrlKey) { event.preventDefault(); this.on.wheel(cell, Math.sign(event.deltaY)); return; }
    }
    if (event.ctrlKey) {
      event.preventDefault();
      this.zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15, event);
    } else {
      const [right, down] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
      if (this.scroll(right, down)) { event.preventDefault(); this.refresh(); }
    }
  }
}
