// Positions as text, and packed into a URL.

export function toText({ width, height, mines, cells }) {
  const rows = [];
  for (let row = 0; row < height; row++) rows.push([...cells.slice(row * width, (row + 1) * width)].join(" "));
  return `${width}x${height}/${mines}\n${rows.join("\n")}`;
}

// Parses Sapper's text format or that of `.mine` files; returns null for anything else.
export function fromText(text) {
  const lines = text.trim().split(/\r?\n/).map(line => line.trim()).filter(Boolean);
  const size = /^(\d+)\s*x\s*(\d+)\s*[/x]\s*(\d+)$/i.exec(lines[0] ?? "");
  const rows = (size ? lines.slice(1) : lines).map(line => line.replace(/\s/g, "").replace(/[Hh]/g, "#").replace(/\?/g, "F").replace(/0/g, ".").toUpperCase());
  if (!rows.length || rows.some(row => row.length !== rows[0].length || !/^[.#F1-8]+$/.test(row))) return null;
  const width = rows[0].length, height = rows.length;
  if (size && (Number(size[1]) !== width || Number(size[2]) !== height)) return null;
  const cells = rows.join("");
  return { width, height, mines: size ? Number(size[3]) : [...cells].filter(sign => sign === "F").length, cells };
}

const SIGNS = ".12345678#F";

// Packs a position into URL-safe base64, with four bits per cell.
export function pack({ width, height, mines, cells }) {
  let bytes = "";
  for (let at = 0; at < cells.length; at += 2) {
    const low = SIGNS.indexOf(cells[at]), high = at + 1 < cells.length ? SIGNS.indexOf(cells[at + 1]) : 0;
    bytes += String.fromCharCode(low + 16 * high);
  }
  return `${width}x${height}-${mines}.${btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

export function unpack(text) {
  const match = /^(\d{1,4})x(\d{1,4})-(\d{1,7})\.([A-Za-z0-9_-]*)$/.exec(text);
  if (!match) return null;
  const [width, height, mines] = match.slice(1, 4).map(Number);
  let bytes;
  try { bytes = atob(match[4].replaceAll("-", "+").replaceAll("_", "/")); } catch { return null; }
  let cells = "";
  for (const byte of bytes) cells += (SIGNS[byte.charCodeAt(0) % 16] ?? "") + (SIGNS[byte.charCodeAt(0) >> 4] ?? "");
  if (cells.length < width * height || width * height === 0) return null;
  return { width, height, mines, cells: cells.slice(0, width * height) };
}

// Returns the risks of an analysis in the form the board draws: [row, column, risk].
export function risksOf({ risk }) {
  return risk.flatMap((row, i) => row.flatMap((chance, j) => chance === null ? [] : [[i, j, chance]]));
}
