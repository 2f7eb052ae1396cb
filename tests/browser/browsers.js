// Starts browsers without a window and opens pages in them. Chromium is driven by playwright-core, Firefox, over WebDriver
// BiDi, by puppeteer-core; what they have in common is all that the tests use: page.goto, page.evaluate, page.screenshot.
import { findBrowser } from '../../cmake/find-browser.mjs';

/**
 * @typedef {object} Browser
 * @property {string} name
 * @property {() => Promise<any>} newPage with storage and, in Chromium, processes of its own
 * @property {() => Promise<void>} close
 */

/** @type {Readonly<Record<string, (executablePath: string) => Promise<Browser>>>} */
const LAUNCHERS = Object.freeze({ chromium: launchChromium, firefox: launchFirefox });

/** @param {string} name `chromium` or `firefox` @returns {Promise<Browser>} */
export async function launch(name) {
  const executablePath = findBrowser(name);
  if (!executablePath) throw new Error(`there is no ${name}`);
  return LAUNCHERS[name](executablePath);
}

/** @param {string} executablePath @returns {Promise<Browser>} */
async function launchChromium(executablePath) {
  const { chromium } = await import('playwright-core');
  // Its sandbox wants privileges that a container's root has not.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const newPage = async () => pageOf(await browser.newContext(), (context) => context.close());
  return { name: 'chromium', newPage, close: () => browser.close() };
}

/** @param {string} executablePath @returns {Promise<Browser>} */
async function launchFirefox(executablePath) {
  const { default: puppeteer } = await import('puppeteer-core');
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
  const newPage = async () => pageOf(await browser.createBrowserContext(), (context) => context.close());
  return { name: 'firefox', newPage, close: () => browser.close() };
}

/** A page that takes its context with it. @param {any} context @param {(context: any) => Promise<void>} closeContext */
async function pageOf(context, closeContext) {
  const page = await context.newPage();
  page.close = () => closeContext(context);
  return page;
}
