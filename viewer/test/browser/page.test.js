// The page loads, draws the finger as it deforms, and shows the numbers of the results.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { assertQuiet, openPage, pause, photograph, startBrowser, valueOf, waitForValue, wordsOf } from "./browser.js";
import { boxOfContent, countColours, countDifferent } from "./pictures.js";
import { LIVE, readSeries, scratchFolder, startView } from "./program.js";

const WRENCHES = ["contact", "tip", "sensor"];
const COMPONENTS = { fx: "fx_n", fy: "fy_n", fz: "fz_n", tx: "tx_n_m", ty: "ty_n_m", tz: "tz_n_m" };

test("the live page", async (context) => {
  const folder = scratchFolder(context);
  const view = await startView(context, ...LIVE, "--out", `${folder}/out`);
  const browser = await startBrowser(context);
  const page = await openPage(browser, view.url);
  let shown;

  await context.test("draws in colour, still when paused", async () => {
    await pause(page);
    const picture = await photograph(page);
    assert.ok(countColours(picture) > 300, `${countColours(picture)} colours`);
    assert.equal(countDifferent(picture, await photograph(page)), 0);
  });

  await context.test("the tip grows wide and low when it is pressed", async () => {
    // The surface alone, from the front: what the page draws of it has a width and a height.
    for (const role of ["rod", "ground"]) await page.click(`#role-${role}`);
    await page.click("#colour-none");
    await page.click("#show-wrenches");
    await page.click("#reset");
    await page.waitForFunction(() => Number(document.getElementById("depth").dataset.value) === 0);
    await page.click("#view-front");
    const before = boxOfContent(await photograph(page));
    await page.click("#pause");
    await waitForValue(page, "depth", 0.0028);
    await pause(page);
    const after = boxOfContent(await photograph(page));
    // Moved without being deformed it would keep both to a pixel.
    assert.ok(after.width > before.width + 1, `${before.width} to ${after.width} pixels wide`);
    assert.ok(after.height < 0.97 * before.height, `${before.height} to ${after.height} pixels high`);
  });

  await context.test("shows all of the three wrenches, and where the rod is", async () => {
    shown = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#wrenches td")]
      .map((cell) => [`${cell.dataset.wrench}_${cell.dataset.component}`, Number(cell.dataset.value)])));
    assert.equal(Object.keys(shown).length, 18);
    for (const id of ["time", "depth", "area", "contact-count", "position-z"]) shown[id] = await valueOf(page, id);
    assert.ok(Math.abs(shown.contact_fz) > 0.05);
    // The text is the number, rounded, with its unit.
    assert.equal(await wordsOf(page, "depth"), `${(1e3 * shown.depth).toFixed(3)} mm`);
    assert.equal(await page.locator("#force-values b").nth(2).innerText(), shown.contact_fz.toFixed(4));
  });

  await context.test("complains about nothing", () => assertQuiet(page));

  await context.test("what is not in its files does not act, also on the page that stands in for it", async () => {
    const other = await browser.newPage();
    const complaints = [];
    other.on("console", (message) => complaints.push(message.text()));
    const standIn = readFileSync(new URL("../../../cmake/no_page.html", import.meta.url), "utf8");
    await other.route(view.url, async (route) => route.fulfill({ response: await route.fetch(), body: standIn }));
    await other.goto(view.url);
    assert.match(await other.innerText("h1"), /missing/);
    assert.deepEqual(complaints, []);
    // An inline style is refused, aloud.
    const colour = await other.evaluate(() => {
      document.body.setAttribute("style", "color: rgb(1, 2, 3)");
      return getComputedStyle(document.body).color;
    });
    assert.notEqual(colour, "rgb(1, 2, 3)");
    assert.match(complaints.join(), /Content Security Policy/);
    await other.close();
  });

  await context.test("a browser that cannot draw is told so", async () => {
    const other = await browser.newPage();
    await other.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
    await other.goto(view.url);
    await other.waitForFunction(() => /no WebGL/.test(document.getElementById("banner").innerText));
    await other.close();
  });

  await context.test("the numbers are those of series/finger.csv", async () => {
    await view.end();
    const rows = readSeries(`${folder}/out`, "finger").filter((row) => row.time_s === shown.time);
    assert.ok(rows.length > 0, `no row at ${shown.time} s`);
    const row = rows.at(-1);
    for (const wrench of WRENCHES) {
      for (const [component, column] of Object.entries(COMPONENTS)) {
        assert.equal(shown[`${wrench}_${component}`], row[`${wrench}_${column}`], `${wrench} ${component}`);
      }
    }
    assert.equal(shown.depth, row.depth_m);
    assert.equal(shown.area, row.contact_area_m2);
    assert.equal(shown["contact-count"], row.contact_count);
  });
});
