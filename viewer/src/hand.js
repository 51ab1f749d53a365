import * as THREE from "three";

const HINTS = {
  look: "Drag turns the view, right button moves it.",
  drag: "Take the rod and move it; Shift or wheel: along the view.",
  push: "Press and move a ball; Shift or wheel: along the view.",
};
const WHEEL_PIXELS = 0.2;
const TOOLS = ["look", "drag", "push"];
const byId = (id) => document.getElementById(id);

// The person's hand: takes the rod or moves the pointer's sphere, by mouse, touch or keys.
export class Hand {
  constructor({ stage, sceneView, send, addCommand, onChange }) {
    Object.assign(this, { stage, sceneView, send, onChange });
    this.ray = new THREE.Raycaster();
    this.axes = { right: new THREE.Vector3(), up: new THREE.Vector3(), forward: new THREE.Vector3() };
    this.active = null;
    for (const tool of TOOLS) addCommand(`tool-${tool}`, () => this.setTool(tool));
    addCommand("give-back", () => this.giveBack());
    this.listen(stage.canvas.parentElement);
    this.setTool("look");
  }

  listen(element) {
    // Before the camera's own listeners: what the hand takes, the camera must not.
    const early = { capture: true, passive: false };
    element.addEventListener("pointerdown", (event) => this.down(event), early);
    element.addEventListener("pointermove", (event) => this.move(event), early);
    element.addEventListener("pointerup", (event) => this.up(event), early);
    element.addEventListener("pointercancel", (event) => this.up(event), early);
    element.addEventListener("wheel", (event) => this.wheel(event), early);
  }

  load(scene) {
    this.scene = scene;
    this.active = null;
    const touchable = scene.mode === "live";
    for (const id of ["hand-controls", "hand-state"]) byId(id).hidden = scene.mode === "recorded";
    byId("tool-drag").disabled = !touchable || !scene.bodies.some((body) => body.graspable);
    byId("tool-push").disabled = !touchable || !scene.pointer;
    if (byId(`tool-${this.tool}`).disabled) this.setTool("look");
  }

  setTool(tool) {
    this.end();
    this.tool = tool;
    for (const one of TOOLS) byId(`tool-${one}`).setAttribute("aria-pressed", one === tool);
    byId("hand-hint").textContent = HINTS[tool];
    this.stage.canvas.dataset.tool = tool;
  }

  aim(x, y) {
    const box = this.stage.canvas.getBoundingClientRect();
    this.ray.setFromCamera(new THREE.Vector2(2 * (x - box.left) / box.width - 1, 1 - 2 * (y - box.top) / box.height),
      this.stage.camera);
  }

  // Takes hold where the ray points. False when there is nothing to take.
  begin() {
    if (this.tool === "drag") {
      const hit = this.sceneView.pick(this.ray, (part) => this.scene.bodies[part.info.body]?.graspable);
      if (hit) this.grab(hit.part.info.body, hit.point.clone());
      return Boolean(hit);
    }
    // The ball starts before what it will touch; beside everything, at the depth of the scene's middle.
    const { body, radius_m: radius } = this.scene.pointer;
    const hit = this.sceneView.pick(this.ray, (part) => part.info.body !== body && part.info.motion !== "fixed");
    const { origin, direction } = this.ray.ray;
    const depth = this.stage.controls.target.clone().sub(origin).dot(direction);
    const far = hit ? hit.point.distanceTo(origin) - 1.05 * radius : depth;
    this.active = { kind: "push", body, target: origin.clone().addScaledVector(direction, far), news: true };
    return true;
  }

  grab(body, point) {
    this.active = { kind: "drag", body, target: point, news: false };
    this.send({ type: "grab", body, point_m: point.toArray() });
  }

  down(event) {
    if (this.tool === "look" || event.button !== 0 || event.target !== this.stage.canvas || !this.scene) return;
    this.aim(event.clientX, event.clientY);
    this.end();
    if (!this.begin()) return;
    this.last = [event.clientX, event.clientY];
    this.active.pointerId = event.pointerId;
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.stage.canvas.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  move(event) {
    if (this.active?.pointerId !== event.pointerId) return;
    const [dx, dy] = [event.clientX - this.last[0], event.clientY - this.last[1]];
    this.last = [event.clientX, event.clientY];
    if (event.shiftKey) this.shift(0, 0, -dy);
    else this.shift(dx, -dy, 0);
    event.stopPropagation();
  }

  up(event) {
    if (this.active?.pointerId !== event.pointerId) return;
    this.end();
    event.stopPropagation();
  }

  wheel(event) {
    if (!this.active) return;
    this.shift(0, 0, -WHEEL_PIXELS * event.deltaY);
    event.preventDefault();
    event.stopPropagation();
  }

  // Moves the target by pixels along the screen's axes and the view.
  shift(right, up, forward) {
    const { camera, canvas } = this.stage;
    camera.matrixWorld.extractBasis(this.axes.right, this.axes.up, this.axes.forward);
    const { target } = this.active;
    const depth = target.clone().sub(camera.position).dot(this.axes.forward.negate());
    const metres = 2 * depth * Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)) / canvas.clientHeight;
    target.addScaledVector(this.axes.right, right * metres).addScaledVector(this.axes.up, up * metres)
      .addScaledVector(this.axes.forward, forward * metres);
    this.active.news = true;
  }

  // One key press; takes hold first if nothing is held. `body`: the one whose numbers are shown.
  nudge(direction, fine, body, frame) {
    if (!this.active) {
      if (this.tool === "push") {
        const box = this.stage.canvas.getBoundingClientRect();
        this.aim(box.left + box.width / 2, box.top + box.height / 2);
        this.begin();
      } else {
        const index = this.scene.bodies[body]?.graspable ? body : this.scene.bodies.findIndex((one) => one.graspable);
        this.grab(index, new THREE.Vector3().fromArray(frame.bodies[index].position_m));
      }
    }
    const pixels = fine ? 1 : 8;
    this.shift(...direction.map((along) => along * pixels));
  }

  end() {
    if (!this.active) return;
    this.flush();
    this.send({ type: this.active.kind === "drag" ? "release" : "push_end" });
    this.active = null;
    this.onChange();
  }

  giveBack() {
    this.end();
    for (const body of this.held ?? []) this.send({ type: "give_back", body });
  }

  // Once a drawn frame: where the hand should be.
  flush() {
    if (!this.active?.news) return;
    this.active.news = false;
    const place = this.active.target.toArray();
    this.send(this.active.kind === "drag" ? { type: "drag", target_m: place } : { type: "push", position_m: place });
  }
}
