import { niceAbove } from "./quantity.js";

const QUIET_MS = 4000;

// The upper end of a scale that follows its values without flicker: it grows at once to a round number and shrinks only
// when the values have been small for a while.
export class SteadyRange {
  constructor() {
    this.clear();
  }

  clear() {
    this.top = 0;
    this.smallSince = null;
  }

  update(value, now = performance.now()) {
    const wanted = niceAbove(value);
    if (wanted > this.top) {
      this.top = wanted;
      this.smallSince = null;
    } else if (value > 0.2 * this.top) {
      this.smallSince = null;
    } else if (this.smallSince === null) {
      this.smallSince = now;
      this.largestSince = value;
    } else {
      this.largestSince = Math.max(this.largestSince, value);
      if (now - this.smallSince > QUIET_MS && this.largestSince > 0) {
        this.top = niceAbove(this.largestSince);
        this.smallSince = null;
      }
    }
    return this.top;
  }
}
