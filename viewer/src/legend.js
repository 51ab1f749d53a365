import { colourBytes } from "./colour_map.js";
import { describeQuantity, figures } from "./quantity.js";
import { ARROW_COLOURS } from "./wrenches.js";

const byId = (id) => document.getElementById(id);

// The colour scale and the lengths of arrows, in the corner of the picture.
export class Legend {
  constructor() {
    this.drawBars();
    this.shown = "";
  }

  drawBars() {
    for (const bar of document.querySelectorAll(".legend-bar")) {
      const bytes = colourBytes(bar.width);
      const image = new ImageData(bar.width, bar.height);
      for (let y = 0; y < bar.height; ++y) image.data.set(bytes, 4 * bar.width * y);
      bar.getContext("2d").putImageData(image, 0, 0);
    }
  }

  update(colour, scales, hasColours, hasPatches) {
    const key = JSON.stringify([colour, scales, hasColours, hasPatches]);
    if (key === this.shown) return;
    this.shown = key;
    byId("friction-legend").hidden = !hasPatches;
    byId("legend").hidden = colour.name === "none" || !hasColours;
    if (colour.name !== "none") {
      const { label, unit, factor } = describeQuantity(colour.quantity ?? colour.name);
      byId("legend-name").textContent = `${label}${unit ? ` [${unit}]` : ""}${colour.quantity ? "" : ", plain where none"}`;
      byId("legend-low").textContent = figures(colour.low / factor);
      byId("legend-middle").textContent = figures(0.5 * (colour.low + colour.top) / factor);
      byId("legend-high").textContent = figures(colour.top / factor);
    }
    this.showArrows(scales);
  }

  showArrows(scales) {
    const lines = [];
    if (scales?.showWrenches && scales.touched) {
      lines.push([ARROW_COLOURS.force, `force, ${length(scales.lengths.forceM)} long: ${figures(scales.forceN)} N`]);
    }
    if (scales?.showWrenches && scales.touched) {
      lines.push([ARROW_COLOURS.torque,
        `torque, radius ${length(scales.lengths.torqueM)}: ${figures(1e3 * scales.torqueNM)} mN m`]);
    }
    if (scales?.showContacts && scales.contactN > 0) {
      lines.push([ARROW_COLOURS.contact, `contact, ${length(scales.lengths.contactM)} long: ${figures(scales.contactN)} N`]);
    }
    byId("arrow-scale").hidden = lines.length === 0;
    byId("arrow-scale").replaceChildren(...lines.flatMap(([colour, text]) => {
      const mark = document.createElement("i");
      mark.style.background = `#${colour.toString(16).padStart(6, "0")}`;
      mark.style.width = "22px";
      const words = document.createElement("span");
      words.textContent = text;
      return [mark, words];
    }));
  }
}

function length(metres) {
  return `${Number((1e3 * metres).toPrecision(2))} mm`;
}
