// Without a mouse, and without eyes: every control is reached by Tab, has a name, and works by keys.
import assert from "node:assert/strict";
import test from "node:test";
import { assertQuiet, openPage, photograph, settle, startBrowser, valueOf, waitForStatus } from "./browser.js";
import { countDifferent } from "./pictures.js";
import { LIVE, startView } from "./program.js";

const CONTROLS = "button, select, input, textarea, a[href], [tabindex]";

test("keyboard and labels", async (context) => {
  const view = await startView(context, ...LIVE);
  const browser = await startBrowser(context);
  const page = await openPage(browser, view.url);

  await context.test("Tab reaches every control, and shows where it is", async () => {
    const wanted = await page.evaluate((selector) => [...document.querySelectorAll(selector)]
      .filter((one) => !one.disabled && one.checkVisibility() && !one.closest("dialog:not([open])"))
      .map((one) => one.id), CONTROLS);
    assert.ok(wanted.length >= 25 && wanted.every((id) => id), `${wanted}`);
    const reached = new Set();
    for (let i = 0; i < wanted.length + 5; ++i) {
      await page.keyboard.press("Tab");
      const [id, outline] = await page.evaluate(() => [document.activeElement.id,
        getComputedStyle(document.activeElement).outlineStyle]);
      if (!id) continue;
      reached.add(id);
      assert.equal(outline, "solid", `${id} shows its focus`);
    }
    assert.deepEqual(wanted.filter((id) => !reached.has(id)), []);
  });

  await context.test("every control has a name that a screen reader says", async () => {
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const roles = new Set(["button", "combobox", "slider", "checkbox", "application"]);
    const controls = nodes.filter((node) => !node.ignored && roles.has(node.role?.value));
    assert.ok(controls.length >= 25, `${controls.length} controls`);
    const nameless = controls.filter((node) => !(node.name?.value ?? "").replace(/[^\p{L}]/gu, ""));
    assert.deepEqual(nameless.map((node) => node.role.value), []);
    const names = controls.map((node) => node.name.value);
    assert.equal(new Set(names).size, names.length, `names differ: ${names.sort()}`);
  });

  await context.test("keys do what their buttons do", async () => {
    await page.focus("#canvas");
    await page.keyboard.press("Space");
    await waitForStatus(page, "paused");
    await settle(page);
    const before = await valueOf(page, "time");
    await page.keyboard.press(".");
    await page.waitForFunction((time) => Number(document.getElementById("time").dataset.value) > time, before);
    for (const [key, id] of [["m", "role-lattice"], ["c", "show-contacts"], ["x", "see-through"]]) {
      const pressed = await page.getAttribute(`#${id}`, "aria-pressed");
      await page.keyboard.press(key);
      assert.notEqual(await page.getAttribute(`#${id}`, "aria-pressed"), pressed, id);
    }
    await page.keyboard.press("d");
    assert.equal(await page.getAttribute("#colour-displacement_m", "aria-pressed"), "true");
    for (const key of ["ArrowLeft", "ArrowUp", "+", "3", "-", "f"]) {
      const picture = await photograph(page);
      await page.focus("#canvas");
      await page.keyboard.press(key);
      assert.ok(countDifferent(picture, await photograph(page)) > 300, key);
    }
  });

  await context.test("changes of state are said", async () => {
    assert.match(await page.locator("#live-status").innerText(), /^Paused at \d/);
    assert.equal(await page.getAttribute("#live-status", "aria-live"), "polite");
  });

  await context.test("help opens, names the keys, and closes", async () => {
    await page.keyboard.press("?");
    const help = page.locator("#help");
    assert.equal(await help.isVisible(), true);
    const words = await help.innerText();
    for (const word of ["Space", "Slower", "Masses and springs", "Arrow keys", "let go"]) {
      assert.ok(words.includes(word), word);
    }
    await page.uncheck("#single-keys");
    await page.keyboard.press("Escape");
    assert.equal(await help.isVisible(), false);
    // Single keys that are switched off do nothing outside the picture.
    await page.focus("#step");
    await page.keyboard.press("p");
    assert.equal(await page.getAttribute("#colour-displacement_m", "aria-pressed"), "true");
  });

  await context.test("small windows and dark ones lose nothing", async () => {
    for (const options of [{ viewport: { width: 420, height: 720 } }, { colorScheme: "dark" }]) {
      const other = await openPage(browser, view.url, options);
      const wide = await other.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      assertQuiet(other);
      await other.close();
    }
  });

  await context.test("complains about nothing", () => assertQuiet(page));
});
