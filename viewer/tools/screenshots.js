// Photographs the live page for the docs. usage: node screenshots.js URL RECORDED_URL FOLDER
// The page at URL shows a live scene that does not end, the one at RECORDED_URL a bar that two fingers hold.
import { existsSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const [url, recordedUrl, folder] = process.argv.slice(2);
const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"];
const DEPTH_M = 0.0025;

async function open(browser, options, address = url) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, ...options });
  page.setDefaultTimeout(120000);
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.drawn !== undefined);
  return page;
}

async function photograph(page, name) {
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(2, 2);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(folder, name) });
}

const browser = await chromium.launch({ executablePath: PROGRAMS.find((program) => existsSync(program)),
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist"] });
try {
  const page = await open(browser, { colorScheme: "light" });
  // From the beginning and slowly, so that the plots hold the whole press.
  await page.click("#pause");
  await page.waitForSelector("#status[data-status=paused]");
  await page.selectOption("#speed", "0.1");
  await page.click("#reset");
  await page.waitForFunction(() => Number(document.getElementById("time").dataset.value) === 0);
  await page.click("#pause");
  await page.waitForFunction((depth) => Number(document.getElementById("depth").dataset.value) > depth, DEPTH_M);
  await page.click("#pause");
  await page.click("#colour-displacement_m");
  await page.click("#show-contacts");
  await page.click("#see-through");
  await photograph(page, "live_view.png");
  await page.close();

  const dark = await open(browser, { colorScheme: "dark" });
  await dark.click("#role-surface");
  await dark.click("#role-lattice");
  await photograph(dark, "live_masses.png");
  await dark.close();

  const below = await browser.newPage({ viewport: { width: 760, height: 480 }, colorScheme: "light" });
  await below.goto(`${url}?png=1&camera=below`);
  await below.waitForFunction(() => document.title === "ready");
  await photograph(below, "live_pressure.png");

  const patches = await open(browser, { colorScheme: "light" }, `${recordedUrl}?wrenches=0`);
  await patches.click("#see-through");
  for (let i = 0; i < 5; ++i) await patches.locator("#canvas").press("+");
  await photograph(patches, "live_patches.png");
} finally {
  await browser.close();
}
