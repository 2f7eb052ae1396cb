// The style sheet of the panel, made once. Constructed, so that a page that forbids inline styles does not mind.
import { LAYOUT } from './layout.css.js';
import { NARROW } from './narrow.css.js';
import { THEME } from './theme.css.js';
import { VIEWS } from './views.css.js';

/** @type {CSSStyleSheet | null} */
let sheet = null;

export function panelStyles() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(THEME + LAYOUT + VIEWS + NARROW);
  }
  return sheet;
}
