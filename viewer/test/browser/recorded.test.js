// A recorded run: any of its moments, by the slider, by playing, and as a picture.
import assert from "node:assert/strict";
import test from "node:test";
import { assertQuiet, openPage, photograph, startBrowser, valueOf, waitForStatus, waitForValue } from "./browser.js";
import { countColours, countDifferent } from "./pictures.js";
import { COARSE, readSeries, runProgram, scratchFolder, startView } from "./program.js";

test("a recorded run", async (context) => {
  const out = `${scratchFolder(context)}/out`;
  await runProgram("run", "press", ...COARSE, "--out", out, "--quiet");
  const rows = readSeries(out, "finger");
  const view = await startView(context, out, "--view-port", "0");
  const browser = await startBrowser(context);
  const page = await openPage(browser, view.url);
  const slide = (index) => page.locator("#timeline").fill(String(index));
  const last = Number(await page.getAttribute("#timeline", "max"));

  await context.test("the slider goes to a moment, with the numbers of the series there", async () => {
    assert.ok(last >= 5, `${last} moments`);
    const seen = new Set();
    for (const index of [last, Math.round(0.3 * last), Math.round(0.6 * last)]) {
      const before = await valueOf(page, "time");
      await slide(index);
      await page.waitForFunction(([time, wanted]) => {
        const now = Number(document.getElementById("time").dataset.value);
        return now !== time || document.getElementById("timeline").value === wanted;
      }, [before, String(index)]);
      await photograph(page);
      const time = await valueOf(page, "time");
      seen.add(time);
      const row = rows.find((one) => Math.abs(one.time_s - time) < 1e-9);
      assert.ok(row, `no row at ${time} s`);
      const shown = Number(await page.getAttribute('td[data-wrench="contact"][data-component="fz"]', "data-value"));
      assert.equal(shown, row.contact_fz_n);
    }
    assert.equal(seen.size, 3);
  });

  await context.test("moments look different", async () => {
    await slide(0);
    const first = await photograph(page);
    await slide(last);
    assert.ok(countDifferent(first, await photograph(page)) > 500);
  });

  await context.test("step and play go on from there", async () => {
    await page.click("#reset");
    await page.waitForFunction(() => document.getElementById("timeline").value === "0");
    const before = await valueOf(page, "time");
    await page.click("#step");
    await waitForValue(page, "time", before);
    await page.click("#pause");
    await page.waitForFunction((end) => document.getElementById("timeline").value === end, String(last));
  });

  await context.test("nothing can be touched", async () => {
    assert.equal(await page.isVisible("#tool-drag"), false);
  });

  await context.test("complains about nothing", () => assertQuiet(page));

  await context.test("?png=1 shows a moment alone and says when it is drawn", async () => {
    const time = rows[Math.round(0.8 * rows.length)].time_s;
    const still = await browser.newPage({ viewport: { width: 640, height: 480 } });
    await still.goto(`${view.url}?png=1&time_s=${time}&colour=displacement_m&camera=side`);
    await still.waitForFunction(() => document.title === "ready");
    assert.equal(await still.isVisible("#panel"), false);
    assert.equal(await still.isVisible("#legend"), true);
    const drawn = Number(await still.getAttribute("html", "data-drawn"));
    assert.ok(drawn <= time + 1e-9 && drawn > time - 0.06, `${drawn} for ${time}`);
    assert.ok(countColours(await photograph(still)) > 200);
  });
});
