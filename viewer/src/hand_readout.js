import * as THREE from "three";
import { fixed, setNumber } from "./readouts.js";

const byId = (id) => document.getElementById(id);
const turn = new THREE.Quaternion();

// What the hand holds, and the force of the surroundings on it: the force that pushes back.
export function showHand(hand, scene, frame) {
  const held = frame.bodies.flatMap((body, index) => (body.in_hand && index !== scene.pointer?.body ? [index] : []));
  hand.held = held;
  byId("give-back").disabled = held.length === 0;
  const names = held.map((index) => scene.bodies[index].name);
  if (hand.active?.kind === "push") names.push("ball");
  setNumber(byId("in-hand"), names.join(" "), names.join(", ") || "nothing");

  const felt = hand.active?.body ?? held[0];
  if (felt === undefined) {
    setNumber(byId("hand-force"), "", "–");
    return null;
  }
  const body = frame.bodies[felt];
  const force = new THREE.Vector3().fromArray(body.contact).applyQuaternion(turn.fromArray(body.q_xyzw));
  const newtons = Math.hypot(body.contact[0], body.contact[1], body.contact[2]);
  setNumber(byId("hand-force"), newtons, `${fixed(newtons, 4)} N`);
  if (!hand.active) return null;
  const at = hand.active.kind === "push" ? new THREE.Vector3().fromArray(body.position_m) : hand.active.target;
  return { at, force };
}
