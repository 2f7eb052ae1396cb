// Elements in a few words.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | number | null | undefined | false} Child */

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * Attributes by name; a function is a listener: `onclick`. false, null and undefined leave an attribute out.
 * @param {Element} element
 * @param {Attributes} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...present(children));
  return element;
}

/** @param {readonly Child[]} children @returns {(Node | string)[]} */
export function present(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    return [typeof child === 'number' ? String(child) : child];
  });
}

/** A picture of 16 by 16, drawn with the text's colour. @param {string} path @returns {SVGSVGElement} */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg');
  setAttributes(svg, { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true', focusable: 'false' });
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}

let ids = 0;

/** An id that is unique in the page. @param {string} name */
export function uniqueId(name) {
  return `wasm-trace-${name}-${++ids}`;
}
