// What is known of this browser.

/** @returns {boolean} */
export function isChromium() {
  return /Chrom(?:e|ium)\//.test(navigator.userAgent);
}
