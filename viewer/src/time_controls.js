import { fixed, setNumber } from "./readouts.js";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const FASTEST = 0;
const WORDS = { running: "Running", paused: "Paused", ended: "Ended", failed: "Failed" };
const byId = (id) => document.getElementById(id);

// State, pause, step, speed, reset, and the moment of a recorded run.
export class TimeControls {
  constructor({ send, addCommand, onReset }) {
    this.send = send;
    this.speed = byId("speed");
    this.timeline = byId("timeline");
    this.status = null;
    this.fillSpeeds();
    addCommand("pause", () => send({ type: this.status === "running" ? "pause" : "resume" }));
    addCommand("step", () => send({ type: "step" }));
    addCommand("reset", () => {
      onReset();
      send({ type: "reset" });
    });
    addCommand("slower", () => this.changeSpeed(-1));
    addCommand("faster", () => this.changeSpeed(1));
    this.speed.addEventListener("change", () => this.sendSpeed());
    this.timeline.addEventListener("input", () => this.seek());
  }

  fillSpeeds() {
    const options = SPEEDS.map((value) => new Option(`${value} × real time`, value));
    this.speed.replaceChildren(...options, new Option("as fast as it goes", FASTEST));
    this.speed.value = "1";
  }

  changeSpeed(direction) {
    const last = this.speed.options.length - 1;
    this.speed.selectedIndex = Math.min(Math.max(this.speed.selectedIndex + direction, 0), last);
    this.sendSpeed();
  }

  sendSpeed() {
    this.send({ type: "speed", value: Number(this.speed.value) });
  }

  seek() {
    this.send({ type: "seek", time_s: this.times[Number(this.timeline.value)] });
    this.nameMoment();
  }

  nameMoment() {
    this.timeline.setAttribute("aria-valuetext", `${fixed(this.times[Number(this.timeline.value)] ?? 0, 4)} s`);
  }

  load(scene) {
    this.recorded = scene.mode === "recorded";
    this.times = scene.times_s ?? [];
    byId("timeline-row").hidden = !this.recorded;
    this.timeline.max = Math.max(0, this.times.length - 1);
    byId("reset").disabled = scene.mode === "watch";
    this.announce = null;
  }

  update(frame) {
    const time = `${fixed(frame.time_s, 4)} s`;
    setNumber(byId("time"), frame.time_s, time);
    byId("caption-time").textContent = time;
    setNumber(byId("real-time-factor"), frame.real_time_factor, fixed(frame.real_time_factor, 2));
    setNumber(byId("energy-residual"), frame.energy_residual, (frame.energy_residual ?? 0).toExponential(1));
    byId("viewers").textContent = frame.viewers > 1 ? `${frame.viewers} viewers` : "";
    document.body.dataset.frame = frame.frame;
    if (document.activeElement !== this.speed) this.showSpeed(frame.speed);
    if (this.recorded) this.showMoment(frame.time_s);
    this.showStatus(frame.status, WORDS[frame.status] ?? frame.status, frame.time_s);
  }

  showSpeed(value) {
    const known = [...this.speed.options].findIndex((option) => Number(option.value) === value);
    if (known >= 0) {
      this.speed.selectedIndex = known;
    } else {
      this.speed.add(new Option(`${value} × real time`, value));
      this.speed.value = String(value);
    }
  }

  // The last moment at or before the time; a slider that is being moved is left alone.
  showMoment(timeS) {
    if (this.timeline.matches(":active")) return;
    let index = 0;
    while (index + 1 < this.times.length && this.times[index + 1] <= timeS + 1e-12) ++index;
    this.timeline.value = index;
    this.nameMoment();
  }

  showStatus(status, word, timeS) {
    if (status === this.status) return;
    this.status = status;
    byId("status").dataset.status = status;
    byId("status").textContent = word;
    byId("pause-word").textContent = { running: "Pause", failed: "Run" }[status] ?? (this.recorded ? "Play" : "Run");
    byId("live-status").textContent = timeS === undefined ? word : `${word} at ${fixed(timeS, 3)} s`;
  }
}
