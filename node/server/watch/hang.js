// The second tab: shows what the server hears of pages that hang, as it hears it.

/** @typedef {import('../hangs.js').Hang} Hang */

const state = /** @type {HTMLElement} */ (document.getElementById('state'));
const list = /** @type {HTMLElement} */ (document.getElementById('hangs'));

/** @type {Map<string, HTMLElement>} */
const sections = new Map();

const events = new EventSource('hang/events');
events.onopen = () => tell('No page hangs.');
events.onerror = () => tell('The server has ended.');
events.onmessage = ({ data }) => show(JSON.parse(data));

/** A screen reader is told of changes only. @param {string} text */
function tell(text) {
  if (state.textContent !== text) state.textContent = text;
}

/** @param {{hang: Hang, isOver: boolean, count: number}} change count: pages that hang now */
function show({ hang, isOver, count }) {
  const section = sections.get(hang.page) ?? addSection(hang.page);
  const heading = document.createElement('h2');
  heading.textContent = hang.page;
  const time = document.createElement('p');
  const seconds = `${(hang.milliseconds / 1000).toFixed(1)} s`;
  const where = hang.stack.length > 0 ? `in ${hang.session}, innermost first:` : 'outside of traced modules.';
  time.textContent = isOver ? `It lives again, after ${seconds}; it was last seen ${where}` : `It hangs for ${seconds} ${where}`;
  const stack = document.createElement('ol');
  stack.append(...hang.stack.map(makeItem));
  section.replaceChildren(heading, time, stack);
  section.className = isOver ? 'over' : '';
  tell(count === 0 ? 'No page hangs.' : count === 1 ? 'A page hangs.' : `${count} pages hang.`);
}

/** @param {string} page */
function addSection(page) {
  const section = document.createElement('section');
  sections.set(page, section);
  list.prepend(section);
  return section;
}

/** @param {string} name */
function makeItem(name) {
  const item = document.createElement('li');
  item.textContent = name;
  return item;
}
