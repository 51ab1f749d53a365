const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 196;
const HEIGHT = 168;
const MIDDLE = { x: 88, y: 88 };
const RADIUS = 60;
// Seen from above, a little to the side; the moment's axis points up.
const AZIMUTH_RAD = 0.6;
const ELEVATION_RAD = 0.38;

function make(parent, name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

// Where a point of the unit ball is in the picture, and how near it is.
export function project([x, y, z]) {
  const across = x * Math.cos(AZIMUTH_RAD) - y * Math.sin(AZIMUTH_RAD);
  const away = x * Math.sin(AZIMUTH_RAD) + y * Math.cos(AZIMUTH_RAD);
  const up = z * Math.cos(ELEVATION_RAD) + away * Math.sin(ELEVATION_RAD);
  return { x: MIDDLE.x + RADIUS * across, y: MIDDLE.y - RADIUS * up,
    near: z * Math.sin(ELEVATION_RAD) - away * Math.cos(ELEVATION_RAD) };
}

function circlePath(pointAt) {
  const steps = 72;
  const points = Array.from({ length: steps + 1 }, (_, i) => pointAt(2 * Math.PI * i / steps));
  // The far half is drawn fainter.
  const halves = { near: "", far: "" };
  let last = null;
  for (let i = 0; i < steps; ++i) {
    const [from, to] = [project(points[i]), project(points[i + 1])];
    const half = from.near + to.near >= 0 ? "near" : "far";
    const start = last === half ? "" : `M${from.x.toFixed(1)} ${from.y.toFixed(1)}`;
    halves[half] += `${start}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
    last = half;
  }
  return halves;
}

// The friction ellipsoid in coordinates in which it is a unit ball, with the wrench in it.
export class FrictionBall {
  constructor(svg) {
    this.svg = svg;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    make(svg, "circle", { cx: MIDDLE.x, cy: MIDDLE.y, r: RADIUS, class: "ball" });
    for (const pointAt of [(t) => [Math.cos(t), Math.sin(t), 0], (t) => [Math.cos(t), 0, Math.sin(t)],
      (t) => [0, Math.cos(t), Math.sin(t)]]) {
      const { near, far } = circlePath(pointAt);
      make(svg, "path", { d: far, class: "far" });
      make(svg, "path", { d: near, class: "near" });
    }
    for (const [tip, words, anchor, dx, dy] of [[[1.3, 0, 0], "force a", "start", -4, 14],
      [[0, 1.6, 0], "force b", "end", 6, -5], [[0, 0, 1.3], "moment", "start", 5, 6]]) {
      const [from, to] = [project([0, 0, 0]), project(tip)];
      make(svg, "line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: "axis" });
      make(svg, "text", { x: to.x + dx, y: to.y + dy, "text-anchor": anchor }).textContent = words;
    }
    this.drop = make(svg, "path", { class: "drop" });
    this.line = make(svg, "line", { class: "wrench" });
    this.dot = make(svg, "circle", { r: 5, class: "wrench" });
  }

  // `share`: force along a, along b and moment, each over its greatest; null where nothing touches.
  set(share, slides) {
    this.svg.classList.toggle("empty", !share);
    if (!share) return;
    const [middle, end, foot] = [[0, 0, 0], share, [share[0], share[1], 0]].map(project);
    for (const [key, value] of Object.entries({ x1: middle.x, y1: middle.y, x2: end.x, y2: end.y })) {
      this.line.setAttribute(key, value);
    }
    this.dot.setAttribute("cx", end.x);
    this.dot.setAttribute("cy", end.y);
    this.drop.setAttribute("d", `M${middle.x} ${middle.y}L${foot.x} ${foot.y}L${end.x} ${end.y}`);
    this.svg.classList.toggle("slips", slides);
  }
}
