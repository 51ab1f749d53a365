// The patches of rigid contacts, and the friction of one of them against its ellipsoid.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { colourAt } from "../../src/colour_map.js";
import { assertQuiet, openPage, photograph, startBrowser, valueOf, wordsOf } from "./browser.js";
import { boxOfDifference, countDifferent, countLike } from "./pictures.js";
import { runProgram, scratchFolder, startView } from "./program.js";

// The rows of contacts.csv at its last time.
function readLastContacts(folder) {
  const [head, ...rows] = readFileSync(`${folder}/contacts.csv`, "utf8").trim().split("\n").map((row) => row.split(","));
  const all = rows.map((row) => Object.fromEntries(row.map((value, i) => [head[i], value])));
  return all.filter((row) => row.time_s === all.at(-1).time_s);
}

test("contact patches", async (context) => {
  const out = `${scratchFolder(context)}/out`;
  await runProgram("run", "lift_curved", "--set", "run.duration_s=0.7", "--out", out, "--quiet");
  const browser = await startBrowser(context);
  const view = await startView(context, out, "--view-port", "0");
  const page = await openPage(browser, view.url);

  await context.test("the chosen contact has the numbers of contacts.csv", async () => {
    const rows = readLastContacts(out);
    assert.deepEqual(rows.map((row) => row.body_b), ["left", "right"]);
    await page.selectOption("#patch", { label: "object – right" });
    assert.equal(await valueOf(page, "patch-load"), Number(rows[1].load_n));
    assert.equal(await valueOf(page, "patch-moment"), Number(rows[1].moment_n_m));
    assert.ok(Math.abs(await valueOf(page, "patch-axes") - Number(rows[1].semi_axis_a_m)) < 1e-12);
    assert.ok(Math.abs(await valueOf(page, "patch-use") - Number(rows[1].friction_use)) < 1e-12);
    assert.match(await wordsOf(page, "patch-moment"), /^-?\d+\.\d\d of \d+\.\d\d N mm$/);
    assert.match(await wordsOf(page, "patch-use"), /^100\.\d %, slips$/);
  });

  await context.test("a ring shows the contact that was chosen, and a click there chooses it", async () => {
    // From above the left finger is above the bar.
    await page.click("#view-top");
    const pictures = [];
    for (const label of ["object – left", "object – right"]) {
      await page.selectOption("#patch", { label });
      pictures.push(await photograph(page));
    }
    const rings = boxOfDifference(...pictures);
    const canvas = await page.locator("#canvas").boundingBox();
    const inside = 12;
    for (const [y, label] of [[rings.top + inside, "object – left"], [rings.bottom - inside, "object – right"]]) {
      await page.mouse.click(canvas.x + 0.5 * (rings.left + rings.right), canvas.y + y);
      assert.equal(await page.locator("#patch option:checked").innerText(), label);
    }
  });

  await context.test("the switch takes patches, legend and numbers away, and brings them back", async () => {
    // From the front the ellipses face the camera; their friction is used up: the last colour of the map.
    await page.click("#view-front");
    const before = await photograph(page);
    const yellow = countLike(before, colourAt(1));
    assert.ok(yellow > 100, `${yellow} pixels of the patches`);
    assert.equal(await page.isVisible("#friction-legend"), true);
    await page.keyboard.press("e");
    await page.waitForSelector("#friction-legend", { state: "hidden" });
    assert.equal(await page.isVisible("#friction"), false);
    assert.equal(countLike(await photograph(page), colourAt(1)), 0);
    await page.keyboard.press("e");
    await page.waitForSelector("#friction-legend", { state: "visible" });
    assert.equal(countDifferent(before, await photograph(page)), 0);
  });

  await context.test("what slips is red, what sticks is not", async () => {
    const dotColour = () => page.locator("#friction-ball circle.wrench").evaluate((one) => getComputedStyle(one).fill);
    assert.equal(await dotColour(), "rgb(179, 38, 30)");
    // Halfway the fingers have closed and the bar still stands.
    await page.locator("#timeline").fill("10");
    await page.waitForSelector("#friction-ball:not(.slips)");
    assert.match(await wordsOf(page, "patch-use"), /^\d+\.\d %, sticks$/);
    assert.equal(await dotColour(), "rgb(11, 92, 173)");
  });

  await context.test("complains about nothing", () => assertQuiet(page));
});
