import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export const FIELD_OF_VIEW_DEG = 30;
// Seen from where, z up.
export const VIEWS = Object.freeze({
  front: [0, -1, 0.06],
  side: [1, 0, 0.06],
  top: [0, -0.001, 1],
  corner: [0.62, -1, 0.36],
  below: [0.35, -0.6, -0.7],
});
const THEMES = {
  light: { background: 0xf3f5f8, ground: 0xdfe4ea, line: 0xa9b4bf, key: 1.5, sky: 1.5 },
  dark: { background: 0x15191f, ground: 0x333b45, line: 0x5d6874, key: 1.6, sky: 1.2 },
};

// Renderer, camera and light. Draws only when something changed.
export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW_DEG, 1, 0.001, 10);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.changed());
    this.addLights();
    this.bounds = new THREE.Box3(new THREE.Vector3(-0.02, -0.02, 0), new THREE.Vector3(0.02, 0.02, 0.04));
    this.dirty = true;
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
    this.look("corner");
  }

  addLights() {
    this.sky = new THREE.HemisphereLight(0xffffff, 0x9aa0a8, 1.4);
    this.sky.position.set(0, 0, 1);
    this.key = new THREE.DirectionalLight(0xffffff, 2.2);
    this.key.castShadow = true;
    this.key.shadow.intensity = 0.55;
    this.key.shadow.radius = 3;
    this.key.shadow.mapSize.set(1024, 1024);
    // A weak light beside the eye: no side that is looked at is black.
    this.fill = new THREE.DirectionalLight(0xffffff, 0.8);
    this.fill.position.set(0.4, 0.3, 1);
    this.fill.target.position.set(0, 0, -1);
    this.camera.add(this.fill, this.fill.target);
    this.scene.add(this.sky, this.key, this.key.target, this.camera);
  }

  setTheme(name) {
    const theme = THEMES[name];
    this.scene.background = new THREE.Color(theme.background);
    this.key.intensity = theme.key;
    this.sky.intensity = theme.sky;
    this.theme = theme;
    this.scene.traverse((one) => this.dress(one));
    this.changed();
  }

  // Fixed things take the colours of the theme.
  dress(object) {
    const shared = object.material?.userData;
    if (!shared?.line || !this.theme) return;
    object.material.color.set(this.theme.ground);
    shared.line.value.set(this.theme.line);
  }

  radius() {
    return Math.max(0.5 * this.bounds.getSize(new THREE.Vector3()).length(), 1e-4);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(window.devicePixelRatio, 2);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    // A browser may give fewer pixels than were asked for; drawn as if they were there, the picture would be cut off.
    const { drawingBufferWidth, drawingBufferHeight } = this.renderer.getContext();
    const given = Math.min(drawingBufferWidth / this.canvas.width, drawingBufferHeight / this.canvas.height);
    if (given < 1) this.renderer.setPixelRatio(ratio * given);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.changed();
  }

  // Brings `box` into the picture, from where the camera stands now.
  fit(box) {
    if (!box.isEmpty()) this.bounds.copy(box);
    const direction = this.camera.position.clone().sub(this.controls.target);
    this.place(direction);
    const radius = this.radius();
    const centre = this.bounds.getCenter(new THREE.Vector3());
    this.camera.near = radius / 50;
    this.camera.far = radius * 60;
    this.camera.updateProjectionMatrix();
    this.key.target.position.copy(centre);
    this.key.position.copy(centre).add(new THREE.Vector3(-1.0, -0.8, 3.2).multiplyScalar(radius));
    const shadow = this.key.shadow;
    Object.assign(shadow.camera, { left: -2 * radius, right: 2 * radius, top: 2 * radius, bottom: -2 * radius,
      near: 0.5 * radius, far: 8 * radius });
    shadow.normalBias = radius / 150;
    shadow.camera.updateProjectionMatrix();
  }

  look(view) {
    this.place(new THREE.Vector3().fromArray(VIEWS[view]));
  }

  place(direction) {
    const centre = this.bounds.getCenter(new THREE.Vector3());
    const narrow = Math.min(1, this.camera.aspect);
    const distance = 1.15 * this.radius() / Math.sin(THREE.MathUtils.degToRad(FIELD_OF_VIEW_DEG / 2)) / narrow;
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction.normalize(), distance);
    this.controls.update();
    this.changed();
  }

  // By the keyboard: turn by angles [rad], or come nearer by a factor.
  turn(aroundRad, upRad) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const length = offset.length();
    const azimuth = Math.atan2(offset.y, offset.x) + aroundRad;
    const elevation = THREE.MathUtils.clamp(Math.asin(offset.z / length) + upRad, -1.55, 1.55);
    offset.set(Math.cos(azimuth) * Math.cos(elevation), Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation));
    this.camera.position.copy(this.controls.target).addScaledVector(offset, length);
    this.controls.update();
  }

  zoom(factor) {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  changed() {
    this.dirty = true;
  }

  // True when it drew.
  draw() {
    if (!this.dirty) return false;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}
