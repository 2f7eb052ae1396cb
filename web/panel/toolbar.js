// The line at the top: record, stop, clear, which session, save, copy, where the panel stands.
import { h, icon } from './dom.js';
import { ICONS } from './icons.js';

/** @import {Choice} from './choices.js' */
/** @import {Dock} from './dock.js' */

/**
 * @typedef {object} ToolbarActions
 * @property {() => void} record
 * @property {() => void} stop
 * @property {() => void} clear
 * @property {(id: string) => void} choose
 * @property {() => void} saveHtml
 * @property {() => void} saveJson
 * @property {() => void} copy
 * @property {() => void} turn dock at the other place
 * @property {() => void} hide
 *
 * @typedef {object} ToolbarState
 * @property {boolean} controlled false: recorded data
 * @property {boolean} live
 * @property {boolean} off the probes record nothing
 * @property {Dock} dock
 * @property {readonly Choice[]} choices
 * @property {string} chosen id
 */

/** @typedef {keyof typeof ICONS} IconName */

/** @param {IconName} name @param {string} text @param {string} title @param {() => void} onclick */
function textButton(name, text, title, onclick) {
  return h('button', { type: 'button', class: `button ${name}`, title, onclick }, icon(ICONS[name]), h('span', {}, text));
}

/** @param {IconName} name @param {string} label @param {() => void} onclick */
function iconButton(name, label, onclick) {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick }, icon(ICONS[name]));
}

export class Toolbar {
  #record;
  #stop;
  #clear;
  #html;
  #turn;
  #hide;
  #name = h('span', { class: 'session', hidden: true });
  #state = h('span', { class: 'state', role: 'status' });
  #select;
  #told = '';

  /** @param {ToolbarActions} actions @param {string} shortcut */
  constructor(actions, shortcut) {
    this.#record = textButton('record', 'Record', 'Forget what was recorded and go on live', actions.record);
    this.#stop = textButton('stop', 'Stop', 'Stop recording and keep what is shown; the program goes on', actions.stop);
    this.#clear = textButton('clear', 'Clear', 'Forget what was recorded', actions.clear);
    this.#html = textButton('save', 'HTML', 'Save a page that shows all of this', actions.saveHtml);
    this.#turn = iconButton('dockBottom', 'Dock at the bottom', actions.turn);
    this.#hide = iconButton('hide', `Hide (${shortcut})`, actions.hide);
    this.#select = h('select', { 'aria-label': 'Session', onchange: () => actions.choose(this.#select.value) });
    this.element = h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Recording' },
      h('span', { class: 'brand' }, 'wasm-trace'),
      this.#state,
      this.#record,
      this.#stop,
      this.#clear,
      this.#name,
      this.#select,
      h('span', { class: 'gap' }),
      this.#html,
      textButton('save', 'JSON', 'Save the data', actions.saveJson),
      textButton('copy', 'Copy', 'Copy this view as text', actions.copy),
      this.#turn,
      this.#hide,
    );
  }

  /** @param {ToolbarState} state */
  show({ controlled, live, off, dock, choices, chosen }) {
    const told = JSON.stringify([controlled, live, off, dock, choices.map(({ id, text }) => [id, text]), chosen]);
    if (told === this.#told) return;
    this.#told = told;
    this.#state.hidden = !controlled;
    this.#state.classList.toggle('live', live);
    this.#state.textContent = live ? 'live' : off ? 'probes are off' : 'stopped';
    this.#record.hidden = !controlled || live;
    this.#stop.hidden = !controlled || !live;
    this.#clear.hidden = this.#html.hidden = !controlled;
    this.#turn.hidden = this.#hide.hidden = dock === 'page';
    this.#showTurn(dock);
    this.#select.hidden = choices.length < 2;
    this.#name.hidden = choices.length !== 1;
    this.#name.textContent = this.#name.title = choices[0]?.text ?? '';
    this.#select.replaceChildren(...choices.map(({ id, text }) => h('option', { value: id, selected: id === chosen }, text)));
  }

  /** @param {Dock} dock */
  #showTurn(dock) {
    const label = dock === 'bottom' ? 'Dock at the right' : 'Dock at the bottom';
    this.#turn.title = label;
    this.#turn.setAttribute('aria-label', label);
    this.#turn.replaceChildren(icon(dock === 'bottom' ? ICONS.dockRight : ICONS.dockBottom));
  }
}
