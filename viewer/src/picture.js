const MARGIN = 16;
const LINE = 20;
const byId = (id) => document.getElementById(id);

// Writes what stands over the 3D view into the picture too: a picture without scale and time says little.
function drawWords(pen, width, height, ink) {
  pen.fillStyle = ink;
  pen.font = "600 16px system-ui, sans-serif";
  pen.textBaseline = "top";
  pen.fillText(`${byId("scene-title").textContent}   ${byId("caption-time").textContent}`, MARGIN, MARGIN);
  pen.font = "14px system-ui, sans-serif";
  pen.textBaseline = "bottom";
  let bottom = height - MARGIN;
  for (const legend of ["legend", "friction-legend"].map(byId).filter((one) => !one.hidden)) {
    const bar = legend.querySelector(".legend-bar");
    const numbers = [...legend.querySelectorAll(".legend-numbers span")].map((one) => one.textContent);
    ["left", "center", "right"].forEach((align, i) => {
      pen.textAlign = align;
      pen.fillText(numbers[i], MARGIN + 0.5 * i * bar.width, bottom);
    });
    pen.textAlign = "left";
    pen.drawImage(bar, MARGIN, bottom - LINE - bar.height);
    pen.fillText(legend.querySelector("figcaption").textContent, MARGIN, bottom - LINE - bar.height - 3);
    bottom -= 3 * LINE + bar.height;
  }
  if (byId("arrow-scale").hidden) return;
  for (const line of [...byId("arrow-scale").querySelectorAll("span")].reverse()) {
    pen.fillStyle = line.previousElementSibling.style.background;
    pen.fillRect(MARGIN, bottom - 10, 22, 3);
    pen.fillStyle = ink;
    pen.fillText(line.textContent, MARGIN + 30, bottom);
    bottom -= LINE;
  }
}

// Saves the view as it is, as a PNG file.
export function savePicture(stage) {
  stage.changed();
  stage.draw();
  const view = stage.canvas;
  const picture = document.createElement("canvas");
  picture.width = view.width;
  picture.height = view.height;
  const pen = picture.getContext("2d");
  pen.drawImage(view, 0, 0);
  const ratio = view.width / view.clientWidth;
  pen.scale(ratio, ratio);
  drawWords(pen, view.clientWidth, view.clientHeight, getComputedStyle(document.body).color);
  const time = byId("time").dataset.value || "0";
  picture.toBlob((blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `distal_${Number(time).toFixed(4)}s.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }, "image/png");
}
