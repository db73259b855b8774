// Creates elements, formats text for people, and announces messages to screen readers.

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

export function button(label, onclick, properties = {}) {
  return make("button", { type: "button", onclick, ...properties }, label);
}

export function announce(message) {
  document.getElementById("announcer").textContent = message;
}

export function describeCell([row, column]) {
  return `row ${row + 1}, column ${column + 1}`;
}

export function formatTime(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

// Formats a probability in percent, as `format_percent` in Python does: only 0 and 1 read as 0 and 100.
export function formatPercent(probability, digits = 0) {
  if (probability === 0 || probability === 1) return String(100 * probability);
  const percent = 100 * probability, least = 10 ** -digits;
  if (percent < least) return `<${least.toFixed(digits)}`;
  if (percent > 100 - least) return `>${(100 - least).toFixed(digits)}`;
  return percent.toFixed(digits);
}

// Formats a difference of probabilities in percentage points.
export function formatPoints(difference) {
  const points = (100 * Math.abs(difference)).toFixed(1);
  return `${Number(points) ? points : "<0.1"}`;
}

// Formats a count given as a number or as a string of digits, as `format_count` in Python does.
export function formatCount(count) {
  const digits = String(count);
  if (digits.length <= 12) return digits.replace(/\B(?=(\d{3})+$)/g, ",");
  const [mantissa, exponent] = Number(`${digits[0]}.${digits.slice(1, 16)}`).toExponential(2).split("e+");
  return `${mantissa}e+${digits.length - 1 + Number(exponent)}`;
}

// Formats a count with its noun: "1 layout", "2 layouts".
export function formatPlural(count, noun) {
  return `${formatCount(count)} ${noun}${Number(count) === 1 ? "" : "s"}`;
}
