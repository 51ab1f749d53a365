import * as THREE from "three";
import { Part } from "./parts.js";
import { PatchEllipses } from "./patches.js";
import { SteadyRange } from "./range.js";
import { FIELD_OF_VIEW_DEG } from "./stage.js";
import { WrenchArrows } from "./wrenches.js";

const PICK_PIXELS = 20;
// Fixed things that are larger than what moves, by so much, stay outside the picture.
const LARGE = 2.5;

// What a scene message describes, as things on the stage, and what is switched on of it.
export class SceneView {
  constructor(stage) {
    this.stage = stage;
    this.parts = [];
    this.colourRange = new SteadyRange();
    this.colour = { name: "none", low: 0, top: 0 };
  }

  load(message) {
    const scene = message.json;
    this.unload();
    this.parts = scene.parts.map((info) => new Part(message, info));
    for (const part of this.parts) this.stage.scene.add(part.object);
    this.pointerBody = scene.pointer?.body;
    this.arrows = new WrenchArrows(scene.bodies, this.pointerBody);
    this.patches = new PatchEllipses();
    this.shownPatches = [];
    this.stage.scene.add(this.arrows.object, this.patches.object);
    this.stage.scene.traverse((one) => this.stage.dress(one));
    this.framed = false;
    this.clear();
  }

  unload() {
    for (const one of [...this.parts, this.arrows, this.patches]) {
      if (!one) continue;
      this.stage.scene.remove(one.object);
      one.dispose();
    }
  }

  // Scales begin anew, for example after a reset.
  clear() {
    this.colourRange.clear();
    this.arrows?.clear();
  }

  // `display`: {roles, colour, contacts, wrenches, wrenchName, patches, seeThrough}.
  update(message, display, hand, chosenPatch) {
    // A part that a frame leaves out is not there: switched off, or a ball that is parked.
    for (const part of this.parts) part.inFrame = part.info.motion === "fixed";
    for (const news of message.json.parts) {
      const part = this.parts[news.part];
      part.update(message, news);
      part.inFrame = true;
    }
    this.updateColourRange(display);
    this.show(display);
    if (!this.framed && this.parts.some((part) => part.inFrame && part.info.motion !== "fixed")) {
      this.framed = true;
      this.fit();
    }
    this.arrows.update(message, { wrenchName: display.wrenchName, showWrenches: display.wrenches,
      showContacts: display.contacts, hand });
    this.shownPatches = display.patches ? message.json.patches ?? [] : [];
    this.patches.set(this.shownPatches, chosenPatch, { fieldRad: THREE.MathUtils.degToRad(FIELD_OF_VIEW_DEG),
      pixels: this.stage.canvas.clientHeight });
    this.stage.changed();
  }

  // Pressure and the like begin at nothing; a field has no zero and goes from the least that was seen to the most.
  updateColourRange(display) {
    const coloured = this.parts.filter((part) => part.colourName === display.colour);
    const largest = coloured.reduce((most, part) => Math.max(most, part.scalarTop), 0);
    const fresh = display.colour !== this.colour.name;
    if (fresh) this.colourRange.clear();
    if (display.colour !== "field") {
      this.colour = { name: display.colour, low: 0, top: this.colourRange.update(largest) || 1 };
    } else if (fresh || coloured.length > 0) {
      const before = fresh || !Number.isFinite(this.colour.low) ? [] : [this.colour];
      const low = Math.min(...coloured.map((part) => part.scalarLow), ...before.map((colour) => colour.low));
      const top = Math.max(...coloured.map((part) => part.scalarTop), ...before.map((colour) => colour.top));
      this.colour = { name: "field", quantity: coloured[0]?.info.field ?? this.colour.quantity, low, top };
    }
  }

  // The index of the patch at a place of the window, or -1.
  patchAt(clientX, clientY) {
    const box = this.stage.canvas.getBoundingClientRect();
    let found = -1;
    let least = PICK_PIXELS;
    this.shownPatches.forEach((patch, i) => {
      const place = new THREE.Vector3().fromArray(patch.centre_m).project(this.stage.camera);
      const distance = Math.hypot(box.left + 0.5 * (1 + place.x) * box.width - clientX,
        box.top + 0.5 * (1 - place.y) * box.height - clientY);
      if (distance >= least) return;
      least = distance;
      found = i;
    });
    return found;
  }

  hasColours(display) {
    return this.parts.some((part) => part.object.visible && part.colourName === display.colour);
  }

  show(display) {
    for (const part of this.parts) {
      part.object.visible = part.inFrame && display.roles.includes(part.info.role);
      part.paint(display.colour, this.colour);
      if (part.mesh && part.canBeSeenThrough()) part.makeSeeThrough(display.seeThrough);
    }
    this.stage.changed();
  }

  // Everything that moves, and the fixed bodies that are not much larger.
  bounds() {
    const all = new THREE.Box3();
    const diagonal = (box) => box.getSize(new THREE.Vector3()).length();
    const boxes = this.parts.filter((part) => part.inFrame && part.info.body !== this.pointerBody
      && part.info.role !== "ground").map((part) => {
      part.object.updateWorldMatrix(true, false);
      return { fixed: part.info.motion === "fixed",
        box: part.geometry.boundingBox.clone().applyMatrix4(part.object.matrixWorld) };
    });
    for (const { fixed, box } of boxes) if (!fixed) all.union(box);
    const moving = diagonal(all);
    for (const { fixed, box } of boxes) {
      const both = all.clone().union(box);
      if (fixed && diagonal(both) < LARGE * moving) all.copy(both);
    }
    return all;
  }

  fit() {
    const box = this.bounds();
    this.stage.fit(box);
    this.arrows.resize(this.stage.radius());
    this.patches.dotM = this.stage.radius() / 90;
    box.max.z += 0.4 * this.stage.radius();
    this.stage.fit(box);
  }

  // The nearest {point, part, normal} under a ray, among parts for which `wanted(part)`.
  pick(raycaster, wanted) {
    const meshes = this.parts.filter((part) => part.mesh && part.object.visible && wanted(part)).map((part) => part.mesh);
    const [hit] = raycaster.intersectObjects(meshes, false);
    return hit ? { point: hit.point, part: hit.object.userData.part } : null;
  }
}
