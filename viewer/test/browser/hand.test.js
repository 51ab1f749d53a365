// The person's hand, by mouse and by keys: what is moved moves, what pushes back is shown and recorded.
import assert from "node:assert/strict";
import test from "node:test";
import { assertQuiet, openPage, settle, startBrowser, valueOf, waitForStatus, waitForValue, wordsOf } from "./browser.js";
import { LIVE, readSeries, scratchFolder, startView } from "./program.js";

const forceOf = (row, wrench) => Math.hypot(row[`${wrench}_fx_n`], row[`${wrench}_fy_n`], row[`${wrench}_fz_n`]);

async function placesOnScreen(page) {
  await page.click("#view-front");
  const box = await page.locator("#canvas").boundingBox();
  const middle = box.x + box.width / 2;
  // From the front the whole finger is in the middle of the picture, the rod above, the tip below.
  // Right of the rod's middle, and still on the rod wherever a drag to there ends.
  const right = [middle + 24, box.y + 0.42 * box.height];
  return { rod: [middle, right[1]], right, tip: [middle, box.y + 0.75 * box.height] };
}

test("the hand", async (context) => {
  const folder = scratchFolder(context);
  const view = await startView(context, ...LIVE, "--out", `${folder}/out`);
  const browser = await startBrowser(context);
  const page = await openPage(browser, view.url);
  const positionX = () => valueOf(page, "position-x");
  const { rod, right, tip } = await placesOnScreen(page);
  const spans = {};

  await context.test("the mouse drags the rod", async () => {
    await waitForValue(page, "depth", 0.001);
    await page.click("#tool-drag");
    const before = await positionX();
    spans.drag = [await valueOf(page, "time")];
    await page.mouse.move(...rod);
    await page.mouse.down();
    await page.waitForFunction(() => document.getElementById("in-hand").dataset.value === "finger");
    await page.mouse.move(...right, { steps: 8 });
    // Front view: right on the screen is +x.
    await waitForValue(page, "position-x", before + 0.002);
    await page.mouse.up();
    spans.drag.push(await valueOf(page, "time"));
    assert.equal(await wordsOf(page, "in-hand"), "finger");
  });

  await context.test("pressed down by the hand, the finger pushes back", async () => {
    await page.mouse.move(...right);
    const before = await valueOf(page, "position-z");
    await page.mouse.down();
    await page.mouse.move(right[0], right[1] + 30, { steps: 8 });
    await page.waitForFunction((z) => Number(document.getElementById("position-z").dataset.value) < z - 0.0005, before);
    await waitForValue(page, "hand-force", 0.1);
    await page.keyboard.press("Space");
    await waitForStatus(page, "paused");
    await settle(page);
    spans.felt = [await valueOf(page, "time"), await valueOf(page, "hand-force")];
    await page.mouse.up();
    await page.click("#pause");
  });

  await context.test("give back: the controller has it again", async () => {
    await page.click("#give-back");
    await page.waitForFunction(() => document.getElementById("in-hand").dataset.value === "");
    assert.equal(await page.isDisabled("#give-back"), true);
  });

  await context.test("keys move the rod, and let go", async () => {
    await page.keyboard.press("h");
    await page.focus("#canvas");
    const before = await positionX();
    for (let i = 0; i < 12; ++i) await page.keyboard.press("ArrowLeft");
    // The controller may move it that way too: first the hand must have it.
    await page.waitForFunction(() => document.getElementById("in-hand").dataset.value === "finger");
    await page.waitForFunction((x) => Number(document.getElementById("position-x").dataset.value) < x - 0.001, before);
    await page.keyboard.press("Escape");
    await page.keyboard.press("b");
    await page.waitForFunction(() => document.getElementById("in-hand").dataset.value === "");
  });

  await context.test("the ball pushes the tip, and feels it", async () => {
    await page.click("#tool-push");
    await page.mouse.move(...tip);
    await page.mouse.down();
    await page.waitForFunction(() => document.getElementById("in-hand").dataset.value === "ball");
    for (let i = 0; i < 30; ++i) await page.mouse.wheel(0, -60);
    await waitForValue(page, "hand-force", 0.01);
    await page.keyboard.press("Space");
    await waitForStatus(page, "paused");
    await settle(page);
    spans.pushed = [await valueOf(page, "time"), await valueOf(page, "hand-force")];
    await page.mouse.up();
    await page.waitForFunction(() => document.getElementById("in-hand").dataset.value === "");
  });

  await context.test("complains about nothing", () => assertQuiet(page));

  await context.test("the series hold what the hand did", async () => {
    await view.end();
    const rows = readSeries(`${folder}/out`, "finger");
    const dragged = rows.filter((row) => row.time_s >= spans.drag[0] && row.time_s <= spans.drag[1]);
    const sideways = Math.max(...dragged.map((row) => Math.abs(row.command_1)));
    assert.ok(sideways > 0.01, `${sideways} N sideways`);
    const felt = rows.filter((row) => row.time_s === spans.felt[0]).map((row) => forceOf(row, "contact"));
    assert.deepEqual(felt, [spans.felt[1]]);
    const pushed = readSeries(`${folder}/out`, "pointer").filter((row) => row.time_s === spans.pushed[0]);
    assert.deepEqual(pushed.map((row) => forceOf(row, "contact")), [spans.pushed[1]]);
  });
});
