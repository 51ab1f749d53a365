import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

const UP = new THREE.Vector3(0, 0, 1);
const RING_ARC_RAD = 1.5 * Math.PI;

// Seen through everything, fainter where hidden: an arrow inside the finger is still read.
function addWithGhost(group, geometry, colour) {
  const solid = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: colour, emissive: colour,
    emissiveIntensity: 0.35 }));
  const ghost = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.3,
    depthTest: false, depthWrite: false }));
  ghost.renderOrder = 5;
  const pair = new THREE.Group();
  pair.add(solid, ghost);
  group.add(pair);
  return pair;
}

function alongZ(geometry) {
  return geometry.rotateX(Math.PI / 2);
}

// A straight arrow from its origin along +z; the head keeps its shape.
export class ForceArrow {
  constructor(colour, widthM) {
    this.object = new THREE.Group();
    this.headLength = 4 * widthM;
    this.shaft = addWithGhost(this.object, alongZ(new THREE.CylinderGeometry(0.5 * widthM, 0.5 * widthM, 1, 16))
      .translate(0, 0, 0.5), colour);
    this.head = addWithGhost(this.object, alongZ(new THREE.ConeGeometry(1.4 * widthM, this.headLength, 20))
      .translate(0, 0, 0.5 * this.headLength), colour);
    this.direction = new THREE.Vector3();
  }

  // Both in the world; the vector is already a length [m].
  set(origin, vector) {
    const length = vector.length();
    this.object.visible = length > 0.05 * this.headLength;
    if (!this.object.visible) return;
    const shrink = Math.min(1, length / (1.5 * this.headLength));
    this.direction.copy(vector).divideScalar(length);
    this.object.position.copy(origin);
    this.object.quaternion.setFromUnitVectors(UP, this.direction);
    const shaftLength = length - shrink * this.headLength;
    this.shaft.scale.set(shrink, shrink, shaftLength);
    this.head.scale.setScalar(shrink);
    this.head.position.z = shaftLength;
  }
}

// Three quarters of a ring around the axis of a torque, its head in the sense of rotation; the radius tells the size.
export class TorqueArrow {
  constructor(colour) {
    this.object = new THREE.Group();
    const end = [Math.cos(RING_ARC_RAD), Math.sin(RING_ARC_RAD)];
    addWithGhost(this.object, new THREE.TorusGeometry(1, 0.06, 10, 48, RING_ARC_RAD), colour);
    addWithGhost(this.object, new THREE.ConeGeometry(0.18, 0.5, 16).translate(0, 0.25, 0).rotateZ(RING_ARC_RAD)
      .translate(end[0], end[1], 0), colour);
    this.direction = new THREE.Vector3();
  }

  set(origin, vector, smallest) {
    const length = vector.length();
    this.object.visible = length > smallest;
    if (!this.object.visible) return;
    this.direction.copy(vector).divideScalar(length);
    this.object.position.copy(origin);
    this.object.quaternion.setFromUnitVectors(UP, this.direction);
    this.object.scale.setScalar(length);
  }
}

// Many arrows at once: the forces at contact points, each with a ball at its place.
export class ContactArrows {
  constructor(colour) {
    this.object = new THREE.Group();
    this.arrowShape = mergeGeometries([
      alongZ(new THREE.CylinderGeometry(0.035, 0.035, 0.75, 8)).translate(0, 0, 0.375),
      alongZ(new THREE.ConeGeometry(0.1, 0.25, 10)).translate(0, 0, 0.875),
    ]);
    this.ballShape = new THREE.SphereGeometry(1, 10, 8);
    // Contacts lie between skin and ground, so they are drawn over both.
    this.material = new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.9 });
    this.capacity = 0;
    this.matrix = new THREE.Matrix4();
    this.place = new THREE.Vector3();
    this.force = new THREE.Vector3();
    this.turn = new THREE.Quaternion();
    this.size = new THREE.Vector3();
  }

  reserve(count) {
    if (count <= this.capacity) return;
    this.capacity = Math.max(64, 2 * count);
    for (const old of [...this.object.children]) {
      this.object.remove(old);
      old.dispose();
    }
    this.arrows = new THREE.InstancedMesh(this.arrowShape, this.material, this.capacity);
    this.balls = new THREE.InstancedMesh(this.ballShape, this.material, this.capacity);
    for (const mesh of [this.arrows, this.balls]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 4;
      this.object.add(mesh);
    }
  }

  // `values`: six each, place [m] and force [N]. Widths follow `longestM`, the length of the largest force.
  set(values, metresPerNewton, longestM, ballM) {
    const count = values.length / 6;
    this.reserve(count);
    for (let i = 0; i < count; ++i) {
      this.place.fromArray(values, 6 * i);
      this.force.fromArray(values, 6 * i + 3);
      const newtons = this.force.length();
      this.turn.setFromUnitVectors(UP, newtons > 0 ? this.force.divideScalar(newtons) : UP);
      this.size.set(0.45 * longestM, 0.45 * longestM, Math.max(newtons * metresPerNewton, 1e-9));
      this.arrows.setMatrixAt(i, this.matrix.compose(this.place, this.turn, this.size));
      this.balls.setMatrixAt(i, this.matrix.compose(this.place, this.turn, this.size.setScalar(ballM)));
    }
    if (!this.arrows) return;
    for (const mesh of [this.arrows, this.balls]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
