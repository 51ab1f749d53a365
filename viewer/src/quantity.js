// Quantities are SI in messages and named with their unit, like "pressure_pa"; people read handier units.
const UNITS = [
  ["_pa", "kPa", 1e3],
  ["_m", "mm", 1e-3],
  ["_n", "N", 1],
  ["_k", "K", 1],
];

// {label, unit, factor}: shown = value / factor.
export function describeQuantity(name) {
  for (const [ending, unit, factor] of UNITS) {
    if (name.endsWith(ending)) return { label: asWords(name.slice(0, -ending.length)), unit, factor };
  }
  return { label: asWords(name), unit: "", factor: 1 };
}

export function asWords(name) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const ROUND = [1, 1.5, 2, 3, 4, 5, 6, 8];

// The smallest round number that is not less.
export function niceAbove(value) {
  if (!(value > 0)) return 0;
  const decade = 10 ** Math.floor(Math.log10(value));
  for (const step of ROUND) if (value <= step * decade * (1 + 1e-9)) return step * decade;
  return 10 * decade;
}

// Four figures, without exponent where a person would write none.
export function figures(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e5 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}
