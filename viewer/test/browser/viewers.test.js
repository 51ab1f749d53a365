// Several pages at once, and programs that go away and come back.
import assert from "node:assert/strict";
import test from "node:test";
import { assertQuiet, openPage, settle, startBrowser, valueOf, waitForStatus, wordsOf } from "./browser.js";
import { LIVE, startView } from "./program.js";

test("two pages see one run", async (context) => {
  const view = await startView(context, ...LIVE);
  const browser = await startBrowser(context);
  const [one, other] = [await openPage(browser, view.url), await openPage(browser, view.url)];
  await one.bringToFront();
  await one.waitForFunction(() => document.getElementById("viewers").textContent === "2 viewers");
  await one.click("#pause");
  await waitForStatus(one, "paused");
  await other.bringToFront();
  await waitForStatus(other, "paused");
  await settle(other);
  assert.equal(await valueOf(one, "time"), await valueOf(other, "time"));
  // What is shown is each page's own.
  await other.click("#role-rod");
  assert.equal(await one.getAttribute("#role-rod", "aria-pressed"), "true");
  await other.close();
  await one.bringToFront();
  await one.click("#step");
  await one.waitForFunction(() => document.getElementById("viewers").textContent === "");
  assertQuiet(one);
});

test("a program that is gone is missed, one that comes back is found", async (context) => {
  const view = await startView(context, ...LIVE);
  const browser = await startBrowser(context);
  const page = await openPage(browser, view.url);
  await view.end("SIGKILL");
  await waitForStatus(page, "disconnected");
  assert.equal(await wordsOf(page, "status"), "Disconnected");
  assert.match(await wordsOf(page, "banner"), /No connection to the program/);
  assert.match(await wordsOf(page, "live-status"), /Disconnected/);
  await startView(context, ...LIVE, "--view-port", String(view.port));
  await waitForStatus(page, "running");
  assert.equal(await page.isVisible("#banner"), false);
});

test("a run that fails says why", async (context) => {
  const view = await startView(context, ...LIVE, "--set", "body.finger.velocity_m_s=[0.0, 0.0, -30.0]");
  const browser = await startBrowser(context);
  const page = await openPage(browser, view.url);
  await waitForStatus(page, "failed");
  assert.match(await wordsOf(page, "banner"), /The run failed[^]*diverged at t = /);
  assert.match(await wordsOf(page, "live-status"), /^Failed at/);
  assertQuiet(page);
});
