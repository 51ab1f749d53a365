import { LINES, RollingPlot, lineColour } from "./plots.js";

const WRENCHES = ["contact", "tip", "sensor"];
// Forces in N, torques in mN m.
const COMPONENTS = [
  { id: "fx", label: "Fx [N]", factor: 1, decimals: 4 },
  { id: "fy", label: "Fy [N]", factor: 1, decimals: 4 },
  { id: "fz", label: "Fz [N]", factor: 1, decimals: 4 },
  { id: "tx", label: "Tx [mN m]", factor: 1e-3, decimals: 4 },
  { id: "ty", label: "Ty [mN m]", factor: 1e-3, decimals: 4 },
  { id: "tz", label: "Tz [mN m]", factor: 1e-3, decimals: 4 },
];
const byId = (id) => document.getElementById(id);

export function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text;
}

// The shown text is rounded; data-value keeps the number as it came.
export function setNumber(element, value, text) {
  element.textContent = text;
  element.dataset.value = String(value);
}

// Numbers, plots and the choice of body and wrench.
export class Readouts {
  constructor(onChoice) {
    this.force = new RollingPlot(byId("force-plot"), 1e-3);
    this.torque = new RollingPlot(byId("torque-plot"), 1e-2);
    this.cells = this.makeTable();
    this.plotValues = { force: this.makeValues(byId("force-values"), "F"),
      torque: this.makeValues(byId("torque-values"), "T") };
    for (const select of [byId("body"), byId("wrench")]) {
      select.addEventListener("change", () => {
        this.clear();
        onChoice();
      });
    }
  }

  get body() {
    return Number(byId("body").value);
  }

  get wrench() {
    return byId("wrench").value;
  }

  makeTable() {
    const rows = byId("wrench-rows");
    return COMPONENTS.map((component) => {
      const row = rows.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = component.label;
      row.append(head);
      return WRENCHES.map((wrench) => {
        const cell = row.insertCell();
        Object.assign(cell.dataset, { wrench, component: component.id, value: "" });
        return cell;
      });
    });
  }

  // One column a line of the plot: its dash, its name, its value.
  makeValues(holder, letter) {
    return LINES.map((line, index) => {
      const column = document.createElement("div");
      const name = document.createElement("span");
      const mark = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line");
      for (const [key, value] of Object.entries({ x1: 0, x2: 22, y1: 3, y2: 3, "stroke-width": 2.5,
        "stroke-dasharray": line.dash.join(" ") })) stroke.setAttribute(key, value);
      mark.setAttribute("aria-hidden", "true");
      mark.append(stroke);
      name.append(mark, line.name === "size" ? `|${letter}|` : letter + line.name);
      const value = document.createElement("b");
      column.append(name, value);
      holder.append(column);
      return { value, stroke, index };
    });
  }

  load(scene) {
    const select = byId("body");
    const before = select.selectedOptions[0]?.textContent;
    select.replaceChildren(...scene.bodies.map((body, index) => new Option(body.name, index)));
    const wanted = scene.bodies.findIndex((body) => body.name === before);
    const first = scene.bodies.findIndex((body) => body.commanded || body.kind === "fingertip");
    select.value = wanted >= 0 ? wanted : Math.max(first, 0);
    const rods = scene.bodies.some((body) => body.kind === "fingertip");
    byId("number-title").textContent = rods ? "Force and torque at the rod's end" : "Force and torque of a body";
    byId("position-title").textContent = rods ? "Rod end x, y, z [mm]" : "Place x, y, z [mm]";
    const long = 5;
    this.force.windowS = this.torque.windowS = Math.min(Math.max(scene.duration_s || long, 0.1), long);
    this.clear();
  }

  clear() {
    this.force.clear();
    this.torque.clear();
  }

  update(frame, dark) {
    const body = frame.bodies[this.body];
    if (!body) return;
    WRENCHES.forEach((wrench, column) => COMPONENTS.forEach(({ factor, decimals }, row) => {
      const value = body[wrench][row];
      setNumber(this.cells[row][column], value, fixed(value / factor, decimals));
    }));
    ["x", "y", "z"].forEach((axis, i) => {
      setNumber(byId(`position-${axis}`), body.position_m[i], fixed(1e3 * body.position_m[i], 3));
    });
    setNumber(byId("depth"), body.depth_m, `${fixed(1e3 * body.depth_m, 3)} mm`);
    setNumber(byId("area"), body.contact_area_m2, `${fixed(1e6 * body.contact_area_m2, 1)} mm²`);
    setNumber(byId("contact-count"), body.contact_count, String(body.contact_count));
    this.updatePlot("force", frame.time_s, body[this.wrench].slice(0, 3), dark);
    this.updatePlot("torque", frame.time_s, body[this.wrench].slice(3).map((value) => 1e3 * value), dark);
  }

  updatePlot(name, time, values, dark) {
    const all = [...values, Math.hypot(...values)];
    this[name].add(time, all);
    this[name].draw(dark);
    this.plotValues[name].forEach(({ value, stroke, index }) => {
      value.textContent = fixed(all[index], 4);
      stroke.setAttribute("stroke", lineColour(index, dark));
    });
  }
}
