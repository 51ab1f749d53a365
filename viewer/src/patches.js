import * as THREE from "three";
import { colourAt } from "./colour_map.js";

const SLIPS = 0xd3261b;
const RIM = 0x1c242d;
const RIM_SHARE = 0.9;
const MARK_PIXELS = 30;

function makeRingTexture() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  for (const [colour, width] of [["#ffffff", 9], ["#0b5cad", 5]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.arc(32, 32, 26, 0, 2 * Math.PI);
    pen.stroke();
  }
  return new THREE.CanvasTexture(canvas);
}

// The patches of hard contacts, true to scale: ellipses on the contact, coloured by the friction used, with a red rim
// where they slip. A contact without a patch is a dot. A ring of constant size marks the contact that was chosen.
export class PatchEllipses {
  constructor() {
    this.object = new THREE.Group();
    // A patch lies between two bodies, so that it is drawn over both.
    const over = { depthTest: false, depthWrite: false, transparent: true, side: THREE.DoubleSide };
    this.kinds = {
      disc: { shape: new THREE.CircleGeometry(1, 48), material: new THREE.MeshBasicMaterial({ ...over, opacity: 0.9 }) },
      rim: { shape: new THREE.RingGeometry(RIM_SHARE, 1, 48), material: new THREE.MeshBasicMaterial(over) },
      dot: { shape: new THREE.SphereGeometry(1, 12, 8), material: new THREE.MeshBasicMaterial(over) },
    };
    this.mark = new THREE.Sprite(new THREE.SpriteMaterial({ map: makeRingTexture(), sizeAttenuation: false,
      depthTest: false, transparent: true }));
    this.mark.renderOrder = 9;
    this.object.add(this.mark);
    this.capacity = 0;
    this.dotM = 0.0005;
    this.matrix = new THREE.Matrix4();
    this.axes = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    this.colour = new THREE.Color();
  }

  reserve(count) {
    if (count <= this.capacity) return;
    this.capacity = Math.max(16, 2 * count);
    for (const [order, kind] of Object.values(this.kinds).entries()) {
      if (kind.mesh) {
        this.object.remove(kind.mesh);
        kind.mesh.dispose();
      }
      kind.mesh = new THREE.InstancedMesh(kind.shape, kind.material, this.capacity);
      kind.mesh.frustumCulled = false;
      kind.mesh.renderOrder = 6 + order;
      this.object.add(kind.mesh);
    }
  }

  // `fieldRad` and `pixels`: height of the picture, for the ring.
  set(patches, chosen, { fieldRad, pixels }) {
    this.reserve(patches.length);
    for (const kind of Object.values(this.kinds)) if (kind.mesh) kind.mesh.count = 0;
    for (const patch of patches) this.add(patch);
    for (const { mesh } of Object.values(this.kinds)) {
      if (!mesh) continue;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    this.mark.visible = Boolean(chosen);
    if (!chosen) return;
    this.mark.position.fromArray(chosen.centre_m);
    this.mark.scale.setScalar(2 * Math.tan(fieldRad / 2) * MARK_PIXELS / Math.max(pixels, 1));
  }

  add(patch) {
    const [a, b, normal] = this.axes;
    a.fromArray(patch.axes_m[0]);
    b.fromArray(patch.axes_m[1]);
    normal.fromArray(patch.normal);
    this.colour.setRGB(...colourAt(patch.use).map((byte) => byte / 255), THREE.SRGBColorSpace);
    if (a.lengthSq() === 0 || b.lengthSq() === 0) {
      this.matrix.makeScale(this.dotM, this.dotM, this.dotM).setPosition(...patch.centre_m);
      this.put(this.kinds.dot, patch.slides ? this.colour.set(SLIPS) : this.colour);
      return;
    }
    this.matrix.makeBasis(a, b, normal).setPosition(...patch.centre_m);
    this.put(this.kinds.disc, this.colour);
    this.put(this.kinds.rim, this.colour.set(patch.slides ? SLIPS : RIM));
  }

  put({ mesh }, colour) {
    mesh.setMatrixAt(mesh.count, this.matrix);
    mesh.setColorAt(mesh.count++, colour);
  }

  dispose() {
    for (const { shape, material, mesh } of Object.values(this.kinds)) {
      shape.dispose();
      material.dispose();
      mesh?.dispose();
    }
    this.mark.material.map.dispose();
    this.mark.material.dispose();
  }
}
