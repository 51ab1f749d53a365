import * as THREE from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import { SKIN_COLOUR, colourOfBody, makeFixedMaterial, makeMassMaterial, makeRigidMaterial, makeScalarUniforms,
  makeSkinMaterial, makeSpringMaterial } from "./materials.js";
import { computeNormals, dequantise, splitCreases } from "./normals.js";
import { readArray } from "./protocol.js";
import { FIELD_OF_VIEW_DEG } from "./stage.js";

const CREASE_RAD = 0.6;
const ENLARGED = 1e5;
// Of the springs' length; sizes of points are taken at a field of view of 90 degrees.
const MASS_SIZE = 0.3 / Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW_DEG / 2));

// One part of the scene message: its geometry, and what a frame says about it. Drawn by `shape` and `motion` alone.
export class Part {
  constructor(message, info) {
    this.info = info;
    this.object = new THREE.Group();
    this.object.visible = false;
    this.indices = readArray(Uint32Array, message, info.indices).slice();
    this.uniforms = makeScalarUniforms();
    this.inFrame = info.motion === "fixed";
    this.scalarTop = 0;
    if (info.motion === "deforms") this.makeDeforming();
    else this.makeSolid(readArray(Float32Array, message, info.rest_m).slice());
  }

  makeDeforming() {
    this.positions = new Float32Array(3 * this.info.vertices);
    this.scalar = new THREE.BufferAttribute(new Uint16Array(this.info.vertices), 1);
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute("position", new THREE.BufferAttribute(this.positions, 3));
    this.geometry.setAttribute("scalar", this.scalar);
    this.geometry.setIndex(new THREE.BufferAttribute(this.indices, 1));
    this.geometry.boundingBox = new THREE.Box3();
    this.geometry.boundingSphere = new THREE.Sphere();
    if (this.info.shape === "triangles") {
      this.geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(this.positions.length), 3));
    }
    for (const attribute of Object.values(this.geometry.attributes)) attribute.setUsage(THREE.DynamicDrawUsage);
    this.addDrawn(this.geometry);
  }

  makeSolid(rest) {
    let geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(rest, 3));
    geometry.setAttribute("scalar", new THREE.BufferAttribute(new Uint16Array(rest.length / 3), 1));
    geometry.setIndex(new THREE.BufferAttribute(this.indices, 1));
    // It tells vertices apart by hundredths, which metres would not do.
    if (this.info.shape === "triangles") {
      geometry = toCreasedNormals(geometry.scale(ENLARGED, ENLARGED, ENLARGED), CREASE_RAD);
      geometry.scale(1 / ENLARGED, 1 / ENLARGED, 1 / ENLARGED);
    }
    geometry.computeBoundingBox();
    this.geometry = geometry;
    this.addDrawn(geometry);
  }

  addDrawn(geometry) {
    if (this.info.shape === "triangles") {
      const mesh = new THREE.Mesh(geometry, this.makeSurfaceMaterial());
      mesh.castShadow = this.info.motion !== "fixed";
      mesh.receiveShadow = true;
      mesh.userData.part = this;
      this.mesh = mesh;
      this.object.add(mesh);
      return;
    }
    // Masses have no index: every vertex is one.
    const masses = new THREE.BufferGeometry();
    for (const [name, attribute] of Object.entries(geometry.attributes)) masses.setAttribute(name, attribute);
    masses.boundingSphere = geometry.boundingSphere;
    this.masses = new THREE.Points(masses, makeMassMaterial(this.uniforms, 0.0005));
    this.object.add(new THREE.LineSegments(geometry, makeSpringMaterial(this.uniforms)), this.masses);
  }

  makeSurfaceMaterial() {
    if (this.info.motion === "deforms") return makeSkinMaterial(this.uniforms, this.isSkin() ? SKIN_COLOUR : colourOfBody(this.info));
    return this.info.motion === "fixed" ? makeFixedMaterial(this.softEnd()) : makeRigidMaterial(colourOfBody(this.info));
  }

  canBeSeenThrough() {
    return this.isSkin() || (this.info.role === "rigid" && this.info.motion !== "fixed");
  }

  // A recorded rod is sent as points that move, but nothing is measured on it.
  isSkin() {
    return this.info.motion === "deforms" && (this.info.colours ?? []).length > 0;
  }

  // The ground is endless: the square that stands for it fades out before its border.
  softEnd() {
    if (this.info.role !== "ground") return new THREE.Vector4(0, 0, 0, 1e9);
    const centre = this.geometry.boundingBox.getCenter(new THREE.Vector3());
    const [, middle] = this.geometry.boundingBox.getSize(new THREE.Vector3()).toArray().sort((a, b) => a - b);
    return new THREE.Vector4(...centre, 0.5 * middle);
  }

  update(message, news) {
    if (news.pose) {
      this.object.position.fromArray(news.pose.position_m);
      this.object.quaternion.fromArray(news.pose.q_xyzw);
    }
    if (news.positions) this.updatePositions(message, news);
    this.updateColour(message, news);
  }

  updatePositions(message, news) {
    const quantised = readArray(Uint16Array, message, news.positions);
    this.place(quantised, news);
    this.geometry.attributes.position.needsUpdate = true;
    if (this.geometry.attributes.normal) {
      computeNormals(this.positions, this.indices, this.geometry.attributes.normal.array);
      this.geometry.attributes.normal.needsUpdate = true;
    }
    // Bounds from the numbers of the quantisation: wide enough, and free.
    this.geometry.boundingBox.min.fromArray(news.low_m);
    for (const axis of [0, 1, 2]) {
      this.geometry.boundingBox.max.setComponent(axis, news.low_m[axis] + 65535 * news.step_m[axis]);
    }
    this.geometry.boundingBox.getBoundingSphere(this.geometry.boundingSphere);
    if (this.masses && !this.massSizeM) {
      this.massSizeM = MASS_SIZE * this.springLength();
      this.masses.material.size = this.massSizeM;
    }
  }

  // A recorded rigid body is sent as points that move: its edges are found once, and stay sharp.
  place(quantised, news) {
    if (this.isSkin() || this.info.shape !== "triangles") {
      dequantise(quantised, news.low_m, news.step_m, this.positions);
      return;
    }
    this.points ??= new Float32Array(3 * this.info.vertices);
    dequantise(quantised, news.low_m, news.step_m, this.points);
    if (!this.sources) this.split();
    this.sources.forEach((source, vertex) => {
      for (const axis of [0, 1, 2]) this.positions[3 * vertex + axis] = this.points[3 * source + axis];
    });
  }

  split() {
    ({ indices: this.indices, sources: this.sources } = splitCreases(this.points, this.indices, CREASE_RAD));
    this.positions = new Float32Array(3 * this.sources.length);
    for (const [name, array, size] of [["position", this.positions, 3],
      ["normal", new Float32Array(this.positions.length), 3], ["scalar", new Uint16Array(this.sources.length), 1]]) {
      this.geometry.setAttribute(name, new THREE.BufferAttribute(array, size).setUsage(THREE.DynamicDrawUsage));
    }
    this.geometry.setIndex(new THREE.BufferAttribute(this.indices, 1));
  }

  // Median length of some springs, for the size of the masses.
  springLength() {
    const at = (index) => new THREE.Vector3().fromArray(this.positions, 3 * index);
    const lengths = [];
    const stride = 2 * Math.max(1, Math.floor(this.indices.length / 400));
    for (let i = 0; i + 1 < this.indices.length; i += stride) {
      lengths.push(at(this.indices[i]).distanceTo(at(this.indices[i + 1])));
    }
    return lengths.sort((a, b) => a - b)[lengths.length >> 1] ?? 0.001;
  }

  updateColour(message, news) {
    this.colourName = news.colour ? news.colour_name : null;
    if (!news.colour) return;
    const values = readArray(Uint16Array, message, news.colour);
    this.scalar.array.set(values);
    this.scalar.needsUpdate = true;
    let largest = 0;
    for (let i = 0; i < values.length; ++i) if (values[i] > largest) largest = values[i];
    this.scalarLow = news.colour_low;
    this.scalarStep = news.colour_step;
    this.scalarTop = news.colour_low + news.colour_step * largest;
  }

  // Colours from `low` to `top`; without values, the plain colour. A field is everywhere, also where it is low.
  paint(name, { low, top }) {
    const painted = this.colourName !== null && this.colourName === name;
    this.uniforms.colourAmount.value = painted ? 1 : 0;
    this.uniforms.plainBelow.value = name === "field" ? -1 : 0;
    const span = top > low ? top - low : 1;
    if (painted) this.uniforms.scalarToShare.value.set(this.scalarStep / span, (this.scalarLow - low) / span);
  }

  makeSeeThrough(on) {
    const { material } = this.mesh;
    if (material.transparent === on) return;
    material.transparent = on;
    material.opacity = on ? 0.35 : 1;
    material.depthWrite = !on;
    // After the ground, which would else be drawn over it.
    this.mesh.renderOrder = on ? 1 : 0;
    material.needsUpdate = true;
    this.mesh.castShadow = !on;
  }

  dispose() {
    this.object.traverse((one) => {
      one.geometry?.dispose();
      one.material?.dispose();
    });
  }
}
