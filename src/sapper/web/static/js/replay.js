// Replays a recorded game: returns the position before each move.

export function positionsOf(record) {
  const { width, height } = record;
  const mine = record.minefield.join("");
  const course = record.rules === "course";
  const around = place => {
    const [row, column] = [Math.floor(place / width), place % width], near = [];
    for (let i = Math.max(0, row - 1); i <= Math.min(height - 1, row + 1); i++) {
      for (let j = Math.max(0, column - 1); j <= Math.min(width - 1, column + 1); j++) {
        if (i !== row || j !== column) near.push(i * width + j);
      }
    }
    return near;
  };
  let cells = Array(width * height).fill("#");
  const history = [], seen = [];
  const open = place => {
    const waiting = [place];
    while (waiting.length) {
      const next = waiting.pop();
      if (cells[next] !== "#" || mine[next] === "*") continue;
      const near = around(next), count = near.filter(each => mine[each] === "*").length;
      cells[next] = count ? String(count) : ".";
      if (!count && !course) waiting.push(...near);
    }
  };
  for (const move of record.moves) {
    seen.push(cells.join(""));
    if (move.do === "undo") { cells = history.pop() ?? cells; continue; }
    if (move.do === "click") continue;
    const place = move.cell[0] * width + move.cell[1], before = [...cells];
    if (move.do === "flag") cells[place] = cells[place] === "F" ? "#" : "F";
    else if (move.do === "open") open(place);
    else {
      const near = around(place);
      if (near.filter(each => cells[each] === "F").length !== Number(cells[place])) continue;
      near.filter(each => cells[each] === "#").forEach(open);
    }
    history.push(before);
  }
  return seen;
}
