// A real browser without a window.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { decodePng } from "./pictures.js";

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"];
export const LONG_MS = 60000;

export async function startBrowser(context) {
  const browser = await chromium.launch({ executablePath: PROGRAMS.find((program) => existsSync(program)),
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist"] });
  context.after(() => browser.close());
  return browser;
}

// A page that has shown its first frame. `complaints`: what it wrote to its console.
export async function openPage(browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 960, height: 600 }, ...options });
  page.setDefaultTimeout(LONG_MS);
  page.complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.drawn !== undefined);
  return page;
}

export const valueOf = async (page, id) => Number(await page.getAttribute(`#${id}`, "data-value"));
export const wordsOf = (page, id) => page.locator(`#${id}`).innerText();

export async function waitForStatus(page, status) {
  await page.waitForSelector(`#status[data-status="${status}"]`);
}

export async function pause(page) {
  await waitForStatus(page, "running");
  await page.click("#pause");
  await waitForStatus(page, "paused");
  await settle(page);
}

export async function waitForValue(page, id, above) {
  await page.waitForFunction(([name, least]) => Number(document.getElementById(name).dataset.value) > least, [id, above]);
}

// Waits until the page has drawn what it was last sent: two frames on the screen without a change of what is drawn.
export async function settle(page) {
  await page.evaluate((limitMs) => new Promise((done, fail) => {
    setTimeout(() => fail(new Error("the page does not come to rest")), limitMs);
    let quiet = 0;
    let before = null;
    const look = () => {
      const now = `${document.body.dataset.frame} ${document.documentElement.dataset.drawn}`;
      quiet = now === before ? quiet + 1 : 0;
      before = now;
      if (quiet >= 3) done();
      else setTimeout(() => requestAnimationFrame(look), 60);
    };
    look();
  }), LONG_MS);
}

// The 3D view alone, without what stands over it.
export async function photograph(page) {
  await settle(page);
  const cover = (visibility) => page.evaluate((value) => {
    for (const one of document.querySelectorAll("#view > :not(#canvas)")) one.style.visibility = value;
    document.getElementById("canvas").style.outline = value && "none";
  }, visibility);
  await cover("hidden");
  const picture = decodePng(await page.locator("#canvas").screenshot());
  await cover("");
  return picture;
}

export function assertQuiet(page) {
  assert.deepEqual(page.complaints, []);
}
