// Fields of a live scene and of a recorded run as colours, by key, with a legend that tells unit and range.
import assert from "node:assert/strict";
import test from "node:test";
import { assertQuiet, openPage, pause, photograph, startBrowser, wordsOf } from "./browser.js";
import { countDifferent } from "./pictures.js";
import { runProgram, scratchFolder, startView } from "./program.js";

const HEATED = ["noodle_heated", "--set", "run.threads=1"];

// Mean green of what is painted, left and right of its middle: high for the hot end of the map, none for the cold one.
function greenByHalf(plain, painted) {
  const { pixels, channels, width } = painted;
  const at = [];
  for (let i = 0; i < pixels.length; i += channels) {
    if ([0, 1, 2].some((k) => Math.abs(pixels[i + k] - plain.pixels[i + k]) > 12)) at.push(i);
  }
  const columnOf = (i) => (i / channels) % width;
  const columns = at.map(columnOf);
  const middle = 0.5 * (columns.reduce((a, b) => Math.min(a, b)) + columns.reduce((a, b) => Math.max(a, b)));
  const mean = (chosen) => chosen.reduce((sum, i) => sum + pixels[i + 1], 0) / chosen.length;
  return [mean(at.filter((i) => columnOf(i) < middle)), mean(at.filter((i) => columnOf(i) > middle))];
}

async function checkColours(page, cold, hot) {
  await page.click("#view-front");
  await page.keyboard.press("n");
  const plain = await photograph(page);
  await page.keyboard.press("t");
  assert.equal(await page.getAttribute("#colour-field", "aria-pressed"), "true");
  // Until the program has sent a frame with it.
  await page.waitForFunction(() => !document.getElementById("legend").hidden);
  const painted = await photograph(page);
  assert.ok(countDifferent(plain, painted) > 1000, `${countDifferent(plain, painted)} pixels`);
  // The left half of the noodle is hot (paper 4, Fig. 15): +x is right on the screen.
  const [left, right] = greenByHalf(plain, painted);
  assert.ok(left > right + 40, `green: ${left} left, ${right} right`);
  assert.match(await wordsOf(page, "legend-name"), /^Temperature \[K\]$/);
  const ends = [Number(await wordsOf(page, "legend-low")), Number(await wordsOf(page, "legend-high"))];
  assert.ok(Math.abs(ends[0] - cold) < 1 && Math.abs(ends[1] - hot) < 1, `${ends}`);
}

test("a field is seen", async (context) => {
  const browser = await startBrowser(context);

  await context.test("live", async () => {
    // A run ends with its motion: one that does not end while somebody looks.
    const view = await startView(context, ...HEATED, "--set", "motion.speed_m_s=0.00002", "--view-port", "0");
    const page = await openPage(browser, view.url);
    await pause(page);
    await checkColours(page, 293.15, 373.15);
    assertQuiet(page);
    await view.end();
  });

  await context.test("recorded", async () => {
    const out = `${scratchFolder(context)}/out`;
    await runProgram("run", ...HEATED, "--set", "run.duration_s=0.1", "--out", out, "--quiet");
    const view = await startView(context, out, "--view-port", "0");
    const page = await openPage(browser, view.url);
    await checkColours(page, 293.15, 373.15);
    assertQuiet(page);
    await view.end();
  });

  await context.test("none where the scene has no field", async () => {
    const view = await startView(context, "press", "--set", "body.finger.cell_size_m=0.002", "--view-port", "0");
    const page = await openPage(browser, view.url);
    assert.equal(await page.locator("#colour-field").count(), 0);
  });
});
