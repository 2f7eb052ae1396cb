// What the tests of the panel share: what they do inside of a page. The functions run there, and find all they need in it.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A tab of the panel, by its title. */
export async function openTab(page, title) {
  await page.evaluate((wanted) => {
    const { shadowRoot } = document.querySelector('wasm-trace-panel');
    [...shadowRoot.querySelectorAll('[role=tab]')].find(({ textContent }) => textContent.startsWith(wanted)).click();
  }, title);
}

export const tabTitles = (page) =>
  page.evaluate(() => {
    const { shadowRoot } = document.querySelector('wasm-trace-panel');
    return [...shadowRoot.querySelectorAll('[role=tab]')].filter(({ hidden }) => !hidden).map(({ textContent }) => textContent);
  });

/** Texts of the elements that are to be seen. */
export const texts = (page, selector) =>
  page.evaluate((wanted) => {
    const { shadowRoot } = document.querySelector('wasm-trace-panel');
    const found = [...shadowRoot.querySelectorAll(wanted)].filter((element) => element.checkVisibility());
    return found.map(({ textContent }) => textContent);
  }, selector);

/** Texts of those that are to be seen, but not to their end. */
export const cutOff = (page, selector) =>
  page.evaluate((wanted) => {
    const { shadowRoot } = document.querySelector('wasm-trace-panel');
    const found = [...shadowRoot.querySelectorAll(wanted)].filter((element) => element.checkVisibility());
    return found.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent);
  }, selector);

/** Clicks, and gives the focus. */
export const click = (page, selector) =>
  page.evaluate((wanted) => {
    const element = document.querySelector('wasm-trace-panel').shadowRoot.querySelector(wanted);
    element.focus();
    element.click();
  }, selector);

const delay = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds, false));

/** Waits until the page says yes. A question may get no answer, or an error, while the page is on its way to another one. */
export async function until(page, condition, arg) {
  for (const end = Date.now() + 30_000; Date.now() < end; await delay(50)) {
    const answer = page.evaluate(condition, arg).catch(() => false);
    if (await Promise.race([answer, delay(2000)])) return;
  }
  throw new Error(`it never came: ${condition}`);
}

/** The rules of axe that are broken, each with an element that breaks it. */
export async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations: found } = await globalThis.axe.run(document.querySelector('wasm-trace-panel'), {
      // The panel is no page of its own.
      rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false }, 'landmark-one-main': { enabled: false } },
    });
    return found.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`);
  });
}
