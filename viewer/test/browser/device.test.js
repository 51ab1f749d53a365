// A device of type "mouse": the hand on it is the pointer on the page. It follows, and feels what it presses on.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import { assertQuiet, openPage, startBrowser, valueOf, waitForValue } from "./browser.js";
import { scratchFolder, startView } from "./program.js";

const SCENE = `
[scene]
title = "A ball on a mouse, over a table"
[body.ball]
type = "rigid"
shape = "sphere"
radius_m = 0.01
mass_kg = 0.05
position_m = [0.0, 0.0, 0.015]
[body.table]
type = "plane"
[device.hand]
type = "mouse"
body = "ball"
stiffness_n_m = 500.0
[run]
duration_s = 1000.0
`;

// Well above the ball's weight of 0.5 N, and what its inertia costs the hand.
const LEAST_N = 2.0;

function readHand(out) {
  const [head, ...rows] = readFileSync(`${out}/devices/hand.csv`, "utf8").trim().split("\n");
  const names = head.split(",");
  return rows.map((row) => Object.fromEntries(row.split(",").map((value, i) => [names[i], Number(value)])));
}

test("a mouse is a device", async (context) => {
  const folder = scratchFolder(context);
  writeFileSync(`${folder}/ball.toml`, SCENE);
  const view = await startView(context, `${folder}/ball.toml`, "--out", `${folder}/out`, "--view-port", "0");
  const browser = await startBrowser(context);
  const page = await openPage(browser, view.url);
  await page.click("#view-front");
  const box = await page.locator("#canvas").boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  const times = {};

  await context.test("nobody holds the ball before", async () => {
    await waitForValue(page, "time", 0.2);
    assert.ok(Math.abs(await valueOf(page, "position-x")) < 1e-4);
  });

  await context.test("the ball follows the pointer", async () => {
    await page.click("#tool-drag");
    times.taken = await valueOf(page, "time");
    await page.mouse.move(...middle);
    await page.mouse.down();
    await page.mouse.move(middle[0] + 60, middle[1], { steps: 10 });
    await waitForValue(page, "position-x", 0.002);
    times.moved = await valueOf(page, "time");
  });

  await context.test("pressed on the table it pushes back", async () => {
    await page.mouse.move(middle[0] + 60, middle[1] + 280, { steps: 30 });
    await page.waitForFunction((least) => {
      const cell = document.querySelector('td[data-wrench="contact"][data-component="fz"]');
      return Number(cell.dataset.value) > least;
    }, LEAST_N);
    times.pressed = await valueOf(page, "time");
    await waitForValue(page, "time", times.pressed + 0.3);
    await page.mouse.up();
    await waitForValue(page, "time", await valueOf(page, "time") + 0.2);
  });

  await context.test("complains about nothing", () => assertQuiet(page));

  await context.test("the device's record tells the same", async () => {
    await view.end();
    const rows = readHand(`${folder}/out`);
    const before = rows.filter((row) => row.time_s < times.taken);
    assert.ok(before.length > 50 && before.every((row) => row.connected === 0 && row.fz_n === 0));
    const held = rows.filter((row) => row.connected === 1);
    assert.ok(Math.max(...held.map((row) => row.px_m)) > 0.002);
    // What the table does not give way to, the hand feels: upwards, as long as it presses.
    const pressing = held.filter((row) => row.time_s > times.pressed + 0.2 && row.time_s < times.pressed + 0.3);
    assert.ok(pressing.length > 50 && pressing.every((row) => row.fz_n > LEAST_N));
    const last = rows.at(-1);
    assert.deepEqual([last.connected, last.fx_n, last.fy_n, last.fz_n], [0, 0, 0, 0]);
  });
});
