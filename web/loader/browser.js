// What is known of this browser and this page.

/** @returns {boolean} */
export function isChromium() {
  return /Chrom(?:e|ium)\//.test(navigator.userAgent);
}

/** Scripts of ours are to pass where those of the page do. @param {HTMLScriptElement} script gets the page's nonce, where it has one */
export function takeNonce(script) {
  const own = document.querySelector('script[nonce]');
  if (own instanceof HTMLScriptElement) script.nonce = own.nonce;
}
