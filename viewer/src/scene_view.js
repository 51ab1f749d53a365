import * as THREE from "three";
import { Part } from "./parts.js";
import { SteadyRange } from "./range.js";
import { WrenchArrows } from "./wrenches.js";

// What a scene message describes, as things on the stage, and what is switched on of it.
export class SceneView {
  constructor(stage) {
    this.stage = stage;
    this.parts = [];
    this.colourRange = new SteadyRange();
    this.colour = { name: "none", top: 0 };
  }

  load(message) {
    const scene = message.json;
    this.unload();
    this.parts = scene.parts.map((info) => new Part(message, info));
    for (const part of this.parts) this.stage.scene.add(part.object);
    this.pointerBody = scene.pointer?.body;
    this.arrows = new WrenchArrows(scene.bodies, this.pointerBody);
    this.stage.scene.add(this.arrows.object);
    this.stage.scene.traverse((one) => this.stage.dress(one));
    this.framed = false;
    this.clear();
  }

  unload() {
    for (const one of [...this.parts, this.arrows]) {
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

  // `display`: {roles, colour, contacts, wrenches, wrenchName, seeThrough}.
  update(message, display, hand) {
    // A part that a frame leaves out is not there: switched off, or a ball that is parked.
    for (const part of this.parts) part.inFrame = part.info.motion === "fixed";
    for (const news of message.json.parts) {
      const part = this.parts[news.part];
      part.update(message, news);
      part.inFrame = true;
    }
    if (display.colour !== this.colour.name) this.colourRange.clear();
    const largest = this.parts.reduce((most, part) => (part.colourName === display.colour && part.scalarTop > most
      ? part.scalarTop : most), 0);
    this.colour = { name: display.colour, top: this.colourRange.update(largest) || 1 };
    this.show(display);
    if (!this.framed && this.parts.some((part) => part.inFrame && part.info.motion !== "fixed")) {
      this.framed = true;
      this.fit();
    }
    this.arrows.update(message, { wrenchName: display.wrenchName, showWrenches: display.wrenches,
      showContacts: display.contacts, hand });
    this.stage.changed();
  }

  hasColours(display) {
    return this.parts.some((part) => part.object.visible && part.colourName === display.colour);
  }

  show(display) {
    for (const part of this.parts) {
      part.object.visible = part.inFrame && display.roles.includes(part.info.role);
      part.paint(display.colour, this.colour.top);
      if (part.mesh && part.isSkin()) part.makeSeeThrough(display.seeThrough);
    }
    this.stage.changed();
  }

  // Everything that moves, with room for the arrow at the rod's end.
  bounds() {
    const all = new THREE.Box3();
    for (const part of this.parts) {
      if (!part.inFrame || part.info.motion === "fixed" || part.info.body === this.pointerBody) continue;
      part.object.updateWorldMatrix(true, false);
      all.union(part.geometry.boundingBox.clone().applyMatrix4(part.object.matrixWorld));
    }
    return all;
  }

  fit() {
    const box = this.bounds();
    this.stage.fit(box);
    this.arrows.resize(this.stage.radius());
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
