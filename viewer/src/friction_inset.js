import { FrictionBall } from "./friction_ball.js";
import { fixed, setNumber } from "./readouts.js";

const MOST_USED = "";
// How much more another contact must use before the view goes over to it.
const CLEARLY = 0.05;
const byId = (id) => document.getElementById(id);

// Names that stay the same from frame to frame: the pair, and which of its contacts.
export function nameContacts(patches) {
  const counts = new Map();
  return patches.map((patch) => {
    const pair = patch.bodies.join("-");
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
    return `${pair}-${counts.get(pair)}`;
  });
}

// The index of the contact that uses most of its friction; the one before stays unless another clearly uses more.
export function findMostUsed(patches, names, before) {
  let most = -1;
  patches.forEach((patch, i) => { if (most < 0 || patch.use > patches[most].use) most = i; });
  const old = names.indexOf(before);
  return old >= 0 && patches[most].use < patches[old].use + CLEARLY ? old : most;
}

// One contact's friction: the ball with the wrench in it, and numbers.
export class FrictionInset {
  constructor(onChange) {
    this.ball = new FrictionBall(byId("friction-ball"));
    this.select = byId("patch");
    this.select.addEventListener("change", onChange);
    this.clear();
  }

  clear() {
    this.shown = null;
  }

  load(scene) {
    this.bodies = scene.bodies;
    this.select.replaceChildren(new Option("most used", MOST_USED));
    this.clear();
    byId("friction").hidden = true;
  }

  words(name) {
    const [first, second, number] = name.split("-").map(Number);
    return `${this.bodies[first].name} – ${this.bodies[second].name}${number > 1 ? `, ${number}` : ""}`;
  }

  // A contact that has come stays in the list, so that one can wait for it to touch again.
  list(names) {
    const known = new Set([...this.select.options].map((option) => option.value));
    for (const name of names) if (!known.has(name)) this.select.add(new Option(this.words(name), name));
  }

  choose(name) {
    this.select.value = name;
  }

  // Gives the chosen patch, or null.
  update(patches, show) {
    byId("friction").hidden = !show;
    if (!show) return null;
    const names = nameContacts(patches);
    this.list(names);
    const index = this.select.value === MOST_USED ? (patches.length > 0 ? findMostUsed(patches, names, this.shown) : -1)
      : names.indexOf(this.select.value);
    this.shown = names[index] ?? null;
    const patch = patches[index] ?? null;
    if (this.select.value === MOST_USED) this.nameMostUsed();
    this.fill(patch);
    return patch;
  }

  nameMostUsed() {
    const text = `most used: ${this.shown ? this.words(this.shown) : "nothing touches"}`;
    const [first] = this.select.options;
    if (first.textContent !== text) first.textContent = text;
  }

  fill(patch) {
    this.ball.set(patch?.share ?? null, patch?.slides ?? false);
    const put = (id, value, text) => setNumber(byId(id), patch ? value : "", patch ? text : "–");
    const [a, b] = (patch?.axes_m ?? [[0], [0]]).map((axis) => Math.hypot(...axis));
    const friction = Math.hypot(...(patch?.friction_n ?? []));
    put("patch-load", patch?.load_n, `${fixed(patch?.load_n ?? 0, 3)} N`);
    put("patch-axes", a, a > 0 ? `${fixed(1e3 * a, 2)} × ${fixed(1e3 * b, 2)} mm` : "a point");
    put("patch-friction", friction, `${fixed(friction, 3)} of ${fixed(patch?.most_friction_n ?? 0, 3)} N`);
    put("patch-moment", patch?.moment_n_m, a > 0 ? `${fixed(1e3 * patch.moment_n_m, 2)} of ${
      fixed(1e3 * patch.most_moment_n_m, 2)} N mm` : "none of its own");
    put("patch-use", patch?.use, `${fixed(100 * (patch?.use ?? 0), 1)} %, ${patch?.slides ? "slips" : "sticks"}`);
    byId("patch-use").classList.toggle("slips", Boolean(patch?.slides));
  }
}
