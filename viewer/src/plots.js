import { niceAbove } from "./quantity.js";

// Okabe and Ito's colours, told apart without colour vision by their dashes too.
export const LINES = Object.freeze([
  { name: "x", colour: "#d55e00", dash: [] },
  { name: "y", colour: "#009e73", dash: [6, 3] },
  { name: "z", colour: "#0072b2", dash: [2, 2] },
  { name: "size", colour: "#7a7f87", dash: [9, 3, 2, 3] },
]);
const DARK_COLOURS = ["#ff9248", "#3fd0a2", "#5db7ff", "#b8bec6"];
const CAPACITY = 4096;
const SHORTEST_S = 0.1;
const LEFT = 50;
const BOTTOM = 18;

export function lineColour(index, dark) {
  return dark ? DARK_COLOURS[index] : LINES[index].colour;
}

// Values over the last seconds of simulated time, on a 2D canvas.
export class RollingPlot {
  // `least`: the smallest span that is shown, so that rounding does not fill the plot.
  constructor(canvas, least) {
    this.canvas = canvas;
    this.least = least;
    this.times = new Float64Array(CAPACITY);
    this.values = LINES.map(() => new Float64Array(CAPACITY));
    this.clear();
    this.windowS = 5;
  }

  clear() {
    this.count = 0;
    this.first = 0;
  }

  at(i) {
    return (this.first + i) % CAPACITY;
  }

  // A time before the last one means that the run began anew or was sought back: what lies after it is gone.
  add(time, values) {
    while (this.count > 0 && this.times[this.at(this.count - 1)] >= time) --this.count;
    if (this.count === CAPACITY) {
      this.first = (this.first + 1) % CAPACITY;
      --this.count;
    }
    const end = this.at(this.count);
    this.times[end] = time;
    values.forEach((value, line) => { this.values[line][end] = value; });
    ++this.count;
    while (this.count > 2 && this.times[this.at(1)] < time - this.windowS) {
      this.first = (this.first + 1) % CAPACITY;
      --this.count;
    }
  }

  draw(dark) {
    const { canvas } = this;
    const ratio = Math.min(window.devicePixelRatio, 2);
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (width === 0) return;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const end = this.count > 0 ? this.times[this.at(this.count - 1)] : 0;
    // A run that has just begun fills the width too.
    const span = Math.min(this.windowS, Math.max(niceAbove(end), SHORTEST_S));
    const start = Math.max(0, end - span);
    const frame = { pen, x: (time) => LEFT + (width - LEFT - 6) * (time - start) / span, width, height };
    const [low, high] = this.extent();
    frame.y = (value) => 6 + (height - BOTTOM - 6) * (high - value) / (high - low);
    this.drawAxes(frame, [low, high], [start, start + span], dark);
    LINES.forEach((line, i) => this.drawLine(frame, i, lineColour(i, dark), line.dash));
  }

  extent() {
    let low = 0;
    let high = 0;
    for (const values of this.values) {
      for (let i = 0; i < this.count; ++i) {
        low = Math.min(low, values[this.at(i)]);
        high = Math.max(high, values[this.at(i)]);
      }
    }
    const room = Math.max(0.08 * (high - low), 0.5 * (this.least - (high - low)));
    return [low - room, high + room];
  }

  drawAxes({ pen, x, y, width, height }, [low, high], [start, end], dark) {
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = dark ? "#a3afbb" : "#5a6775";
    pen.strokeStyle = dark ? "#38424e" : "#d5dce4";
    pen.lineWidth = 1;
    pen.setLineDash([]);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const value of ticks(low, high, 4)) {
      pen.beginPath();
      pen.moveTo(LEFT, Math.round(y(value)) + 0.5);
      pen.lineTo(width - 6, Math.round(y(value)) + 0.5);
      pen.stroke();
      pen.fillText(label(value, high - low), LEFT - 5, y(value));
    }
    pen.textAlign = "center";
    pen.textBaseline = "bottom";
    for (const time of ticks(start, end, 5)) {
      if (x(time) < width - 24) pen.fillText(label(time, end - start), x(time), height);
    }
    pen.textAlign = "right";
    pen.fillText("s", width - 4, height);
  }

  drawLine({ pen, x, y }, line, colour, dash) {
    if (this.count === 0) return;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.6;
    pen.setLineDash(dash);
    pen.beginPath();
    for (let i = 0; i < this.count; ++i) pen.lineTo(x(this.times[this.at(i)]), y(this.values[line][this.at(i)]));
    pen.stroke();
  }
}

function tickStep(span, wanted) {
  const raw = span / wanted;
  const decade = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].find((step) => step * decade >= raw) * decade;
}

export function ticks(low, high, wanted) {
  const step = tickStep(high - low, wanted);
  const all = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) all.push(i * step);
  return all;
}

function label(value, span) {
  const decimals = Math.max(0, Math.ceil(1 - Math.log10(span)));
  return value.toFixed(Math.min(decimals, 4));
}
