// ?png=1&time_s=T: one moment without panels, for pictures. Says when it is drawn.
export class StillPicture {
  constructor(wanted) {
    this.wanted = wanted.get("png") === "1";
    this.timeS = wanted.has("time_s") ? Number(wanted.get("time_s")) : null;
    this.done = false;
    if (this.wanted) document.body.classList.add("picture");
  }

  ask(scene, send) {
    if (scene.mode === "recorded" && this.timeS !== null) send({ type: "seek", time_s: this.timeS });
  }

  // The frame that a recorded run has at or before the time asked for; a live one is caught when it comes there.
  isMoment(scene, frame) {
    if (this.timeS === null || frame.status === "failed") return true;
    const tolerance = 1e-9;
    if (scene.mode !== "recorded") return frame.time_s >= this.timeS - tolerance || frame.status === "ended";
    const before = (scene.times_s ?? []).filter((time) => time <= this.timeS + tolerance);
    return Math.abs(frame.time_s - (before.at(-1) ?? scene.times_s?.[0] ?? frame.time_s)) < tolerance;
  }

  isWhole(scene, frame, display) {
    const sent = new Set(frame.parts.map((news) => news.part));
    const coloured = frame.parts.filter((news) => news.colour).every((news) => news.colour_name === display.colour);
    return coloured && scene.parts.every((part, index) => part.motion === "fixed" || !display.roles.includes(part.role)
      || part.body === scene.pointer?.body || sent.has(index));
  }

  drawn(scene, frame, display) {
    document.documentElement.dataset.drawn = frame.time_s;
    if (!this.wanted || !this.isMoment(scene, frame) || !this.isWhole(scene, frame, display)) return;
    this.done = true;
    // One more frame, so that what was drawn is on the screen.
    requestAnimationFrame(() => requestAnimationFrame(() => { document.title = "ready"; }));
  }
}
