import * as THREE from "three";
import { ContactArrows, ForceArrow, TorqueArrow } from "./arrows.js";
import { readArray } from "./protocol.js";
import { SteadyRange } from "./range.js";

export const ARROW_COLOURS = Object.freeze({ force: 0xe0661a, torque: 0x2b8cd6, contact: 0xd0458f, hand: 0x009e73 });

function dispose(object) {
  object.traverse((one) => {
    one.geometry?.dispose();
    one.material?.dispose();
  });
}

const LEAST_FORCE_N = 1e-4;

// Force and torque at the rods' ends, the forces at the contact points and the one the hand feels, as arrows.
export class WrenchArrows {
  constructor(bodies, pointerBody) {
    this.object = new THREE.Group();
    this.bodies = bodies.map((body, index) => ({ body, index }))
      .filter(({ body, index }) => index !== pointerBody && (body.commanded || body.graspable || body.kind === "fingertip"));
    this.pairs = [];
    this.contacts = new ContactArrows(ARROW_COLOURS.contact);
    this.object.add(this.contacts.object);
    this.ranges = { force: new SteadyRange(), torque: new SteadyRange(), contact: new SteadyRange() };
    this.scratch = { at: new THREE.Vector3(), vector: new THREE.Vector3(), turn: new THREE.Quaternion() };
    this.scales = null;
  }

  // Sizes follow the scene; called when it is first seen whole.
  resize(radiusM) {
    for (const { force, torque } of this.pairs) this.drop(force.object, torque.object);
    if (this.hand) this.drop(this.hand.object);
    const widthM = radiusM / 32;
    this.pairs = this.bodies.map(() => ({ force: new ForceArrow(ARROW_COLOURS.force, widthM),
      torque: new TorqueArrow(ARROW_COLOURS.torque) }));
    for (const { force, torque } of this.pairs) this.object.add(force.object, torque.object);
    this.hand = new ForceArrow(ARROW_COLOURS.hand, widthM);
    this.object.add(this.hand.object);
    this.radiusM = radiusM;
    this.lengths = { forceM: 0.6 * radiusM, torqueM: 0.28 * radiusM, contactM: 0.25 * radiusM, ballM: radiusM / 160 };
  }

  update(message, { wrenchName, showWrenches, showContacts, hand }) {
    if (!this.lengths) return;
    const frame = message.json;
    const wrenches = this.bodies.map(({ index }) => frame.bodies[index][wrenchName]);
    const largest = (from) => wrenches.reduce((most, one) => Math.max(most, Math.hypot(...one.slice(from, from + 3))), 0);
    const forceN = this.ranges.force.update(Math.max(largest(0), LEAST_FORCE_N));
    // A torque that the force would have at a thousandth of the scene's size is rounding, not news.
    const torqueNM = this.ranges.torque.update(Math.max(largest(3), 1e-3 * forceN * this.radiusM));
    const perNewton = this.lengths.forceM / forceN;
    const perNewtonMetre = this.lengths.torqueM / torqueNM;
    const { at, vector, turn } = this.scratch;
    this.bodies.forEach(({ index }, i) => {
      const { position_m: position, q_xyzw: quaternion } = frame.bodies[index];
      at.fromArray(position);
      turn.fromArray(quaternion);
      const length = (from, scale) => vector.fromArray(wrenches[i], from).applyQuaternion(turn).multiplyScalar(scale);
      this.pairs[i].force.set(at, length(0, perNewton));
      this.pairs[i].torque.set(at, length(3, perNewtonMetre), 0.03 * this.lengths.torqueM);
      this.pairs[i].force.object.visible &&= showWrenches;
      this.pairs[i].torque.object.visible &&= showWrenches;
    });
    this.updateContacts(message, showContacts);
    this.updateHand(hand, perNewton);
    this.scales = { showWrenches, showContacts, touched: forceN > LEAST_FORCE_N, forceN, torqueNM,
      contactN: this.ranges.contact.top, lengths: this.lengths };
  }

  updateContacts(message, show) {
    this.contacts.object.visible = show && Boolean(message.json.contacts);
    if (!this.contacts.object.visible) return;
    const values = readArray(Float32Array, message, message.json.contacts);
    let largest = 0;
    for (let i = 0; i < values.length; i += 6) {
      largest = Math.max(largest, Math.hypot(values[i + 3], values[i + 4], values[i + 5]));
    }
    const top = this.ranges.contact.update(largest);
    this.contacts.set(values, top > 0 ? this.lengths.contactM / top : 0, this.lengths.contactM, this.lengths.ballM);
  }

  updateHand(hand, perNewton) {
    this.hand.object.visible = false;
    if (!hand) return;
    this.hand.set(hand.at, this.scratch.vector.copy(hand.force).multiplyScalar(perNewton));
  }

  clear() {
    for (const range of Object.values(this.ranges)) range.clear();
  }

  drop(...objects) {
    this.object.remove(...objects);
    objects.forEach(dispose);
  }

  dispose() {
    dispose(this.object);
  }
}
