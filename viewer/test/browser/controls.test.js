// Each control does what it says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { assertQuiet, openPage, pause, photograph, settle, startBrowser, valueOf, waitForStatus,
  waitForValue } from "./browser.js";
import { countColours, countDifferent, decodePng } from "./pictures.js";
import { LIVE, startView } from "./program.js";

const PERIOD_S = 0.001;

test("controls", async (context) => {
  const view = await startView(context, ...LIVE);
  const browser = await startBrowser(context);
  const page = await openPage(browser, view.url);
  const waitForTime = (timeS) => page.waitForFunction((value) => Math.abs(
    Number(document.getElementById("time").dataset.value) - value) < 1e-9, timeS);

  await context.test("pause stops time, step advances it by one period", async () => {
    await waitForValue(page, "depth", 0.001);
    await pause(page);
    const before = await valueOf(page, "time");
    await settle(page);
    assert.equal(await valueOf(page, "time"), before);
    await page.click("#step");
    await waitForTime(before + PERIOD_S);
    await page.click("#step");
    await waitForTime(before + 2 * PERIOD_S);
    await waitForStatus(page, "paused");
  });

  for (const id of ["role-surface", "role-lattice", "role-rod", "role-ground", "show-contacts", "show-wrenches",
    "see-through"]) {
    await context.test(`${id} changes the picture, and back`, async () => {
      const before = await photograph(page);
      const pressed = await page.getAttribute(`#${id}`, "aria-pressed");
      await page.click(`#${id}`);
      assert.notEqual(await page.getAttribute(`#${id}`, "aria-pressed"), pressed);
      const changed = countDifferent(before, await photograph(page));
      assert.ok(changed > 100, `${changed} pixels changed`);
      await page.click(`#${id}`);
      assert.equal(countDifferent(before, await photograph(page)), 0);
    });
  }

  await context.test("three colours, three pictures, and a legend with its unit", async () => {
    // From below one sees the pressed spot.
    await page.click("#view-below");
    const pictures = [];
    for (const [name, unit] of [["pressure_pa", "kPa"], ["displacement_m", "mm"], ["none", null]]) {
      await page.click(`#colour-${name}`);
      pictures.push(await photograph(page));
      const legend = page.locator("#legend");
      if (unit) assert.match(await legend.innerText(), new RegExp(`\\[${unit}\\]`));
      else assert.equal(await legend.isVisible(), false);
    }
    for (const [i, k] of [[0, 1], [1, 2], [0, 2]]) assert.ok(countDifferent(pictures[i], pictures[k]) > 100, `${i} ${k}`);
    await page.click("#colour-pressure_pa");
  });

  await context.test("the camera goes to its places, and turns, moves and zooms by the mouse", async () => {
    const pictures = {};
    for (const name of ["front", "side", "top", "corner"]) {
      await page.click(`#view-${name}`);
      pictures[name] = await photograph(page);
    }
    for (const name of ["front", "top", "corner"]) assert.ok(countDifferent(pictures.side, pictures[name]) > 500, name);
    const box = await page.locator("#canvas").boundingBox();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    for (const [name, button] of [["orbit", "left"], ["pan", "right"]]) {
      const before = await photograph(page);
      await page.mouse.move(...middle);
      await page.mouse.down({ button });
      await page.mouse.move(middle[0] + 60, middle[1] + 20, { steps: 4 });
      await page.mouse.up({ button });
      assert.ok(countDifferent(before, await photograph(page)) > 500, name);
    }
    const before = await photograph(page);
    await page.mouse.wheel(0, -400);
    assert.ok(countDifferent(before, await photograph(page)) > 500, "zoom");
    await page.click("#view-corner");
    await page.click("#view-fit");
  });

  await context.test("save picture gives a PNG of the view", async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-picture")]);
    const picture = decodePng(readFileSync(await download.path()));
    const box = await page.locator("#canvas").boundingBox();
    assert.deepEqual([picture.width, picture.height], [Math.round(box.width), Math.round(box.height)]);
    assert.ok(countColours(picture) > 300);
    assert.match(download.suggestedFilename(), /^distal_\d+\.\d+s\.png$/);
  });

  await context.test("speed goes to the program and comes back in its frames", async () => {
    const other = await openPage(browser, view.url);
    const speedIs = (one, value) => one.waitForFunction((wanted) => document.getElementById("speed").value === wanted,
      value);
    await page.selectOption("#speed", "0.1");
    await speedIs(other, "0.1");
    await page.click("#slower");
    await speedIs(other, "0.05");
    await page.click("#faster");
    await page.click("#faster");
    await speedIs(other, "0.25");
    await other.close();
  });

  await context.test("reset goes back to the first state", async () => {
    assert.ok(await valueOf(page, "depth") > 0);
    await page.selectOption("#speed", "0.01");
    await page.click("#reset");
    await page.waitForFunction(() => Number(document.getElementById("depth").dataset.value) === 0);
    assert.ok(await valueOf(page, "time") < 0.1);
  });

  await context.test("complains about nothing", () => assertQuiet(page));
});
