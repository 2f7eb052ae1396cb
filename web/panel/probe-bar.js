// The probes: those of now, and an input for others, with completion and a count of what they match.
import { completionsOf } from './completion.js';
import { h, icon, uniqueId } from './dom.js';
import { ICONS } from './icons.js';
import { matchText, soFar } from './probe-text.js';

/** @import {Completion} from './completion.js' */
/** @import {PanelControl} from './source.js' */

export class ProbeBar {
  /** @type {PanelControl | null} */
  #control = null;
  /** @type {string[]} */
  #specs = [];
  /** What the source said last: typing is not undone by it. */
  #told = '';
  #chips = h('ul', { class: 'chips', 'aria-label': 'Probes' });
  #listId = uniqueId('completions');
  #messageId = uniqueId('matches');
  #list = h('ul', { class: 'completions', role: 'listbox', id: this.#listId, 'aria-label': 'Completions', hidden: true });
  #message = h('p', { class: 'matches', id: this.#messageId, role: 'status' });
  #input;
  #controls;
  /** @type {Completion[]} */
  #completions = [];
  #at = -1;

  /** @param {(message: string) => void} say */
  constructor(say) {
    this.#input = this.#makeInput();
    const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ onclick) =>
      h('button', { type: 'button', class: 'small', title, onclick }, text);
    const next = button('Trace', 'What modules that are loaded from now on are traced with', () => {
      this.#send((control, specs) => control.trace(specs));
      say('Modules that are loaded from now on are traced with this.');
    });
    const reload = button('Reload with this', 'Reload the page and trace it with these probes from the start', () =>
      this.#send((control, specs) => control.reload(specs)),
    );
    this.#controls = h('div', { class: 'probe-controls' }, h('div', { class: 'probe-input' }, this.#input, this.#list), next, reload);
    this.element = h('div', { class: 'probes' }, this.#chips, this.#controls, this.#message);
  }

  #makeInput() {
    return h('input', {
      type: 'text',
      role: 'combobox',
      'aria-label': 'Add a probe',
      'aria-autocomplete': 'list',
      'aria-expanded': 'false',
      'aria-controls': this.#listId,
      'aria-describedby': this.#messageId,
      placeholder: 'Add a probe: calls, args(malloc), imports',
      spellcheck: 'false',
      autocomplete: 'off',
      oninput: () => this.#typed(),
      onkeydown: (event) => this.#key(event),
      onblur: () => this.#showCompletions([]),
    });
  }

  /** @param {PanelControl | null} control @param {readonly string[]} trace */
  show(control, trace) {
    this.#control = control;
    this.#controls.hidden = control === null;
    const told = trace.join('\n');
    if (told === this.#told && this.#chips.childElementCount > 0) return;
    this.#told = told;
    this.#specs = [...trace];
    this.#drawChips();
  }

  #drawChips() {
    const chips = this.#specs.map((spec, i) => h('li', { class: 'chip' }, h('code', {}, spec), this.#control && this.#remover(spec, i)));
    this.#chips.replaceChildren(...(chips.length > 0 ? chips : [h('li', { class: 'dim' }, 'no probes')]));
  }

  /** @param {string} spec @param {number} index */
  #remover(spec, index) {
    const remove = () => {
      this.#specs.splice(index, 1);
      this.#drawChips();
      this.#input.focus();
    };
    return h('button', { type: 'button', class: 'icon-button', 'aria-label': `Remove ${spec}`, title: 'Remove', onclick: remove }, icon(ICONS.hide));
  }

  /** What is typed counts, too. @param {(control: PanelControl, specs: string[]) => void} send */
  #send(send) {
    if (!this.#control || !this.#add()) return;
    try {
      send(this.#control, [...this.#specs]);
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error), true);
    }
  }

  /** @returns {boolean} false: what is typed does not parse */
  #add() {
    const spec = this.#input.value.trim();
    if (spec === '') return true;
    if (!this.#count(spec)) return false;
    if (!this.#specs.includes(spec)) this.#specs.push(spec);
    this.#input.value = '';
    this.#tell('', false);
    this.#showCompletions([]);
    this.#drawChips();
    return true;
  }

  #typed() {
    const spec = this.#input.value;
    const caret = this.#input.selectionStart ?? spec.length;
    const complete = (/** @type {string} */ prefix, /** @type {number} */ most) => this.#control?.complete(prefix, most) ?? [];
    this.#showCompletions(spec.trim() === '' ? [] : completionsOf(spec.slice(0, caret), complete));
    const counted = soFar(spec.trim());
    if (counted === '') this.#tell('', false);
    else this.#count(counted);
  }

  /** Tells what a probe matches. @param {string} spec @returns {boolean} whether it parses */
  #count(spec) {
    try {
      const rows = this.#control?.matches(spec) ?? [];
      this.#tell(matchText(rows), false);
      this.#message.title = rows.map(({ module, text }) => `${module}\n${text}`).join('\n');
      return true;
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error), true);
      return false;
    }
  }

  /** @param {string} text @param {boolean} bad */
  #tell(text, bad) {
    this.#message.textContent = text;
    this.#message.title = '';
    this.#message.classList.toggle('bad', bad);
    this.#input.setAttribute('aria-invalid', String(bad));
  }

  /** @param {Completion[]} completions */
  #showCompletions(completions) {
    this.#completions = completions;
    this.#at = -1;
    this.#list.hidden = completions.length === 0;
    this.#input.setAttribute('aria-expanded', String(completions.length > 0));
    this.#list.replaceChildren(...completions.map((completion, i) => this.#option(completion, i)));
    this.#input.removeAttribute('aria-activedescendant');
  }

  /** @param {Completion} completion @param {number} index */
  #option({ label }, index) {
    // The input must not lose the focus to a click.
    const onmousedown = (/** @type {MouseEvent} */ event) => {
      event.preventDefault();
      this.#take(index);
    };
    return h('li', { role: 'option', id: `${this.#listId}-${index}`, 'aria-selected': 'false', onmousedown }, label);
  }

  /** @param {number} index */
  #take(index) {
    this.#input.value = this.#completions[index].text;
    this.#typed();
    this.#input.focus();
  }

  /** @param {number} step */
  #move(step) {
    const { length } = this.#completions;
    if (length === 0) return;
    this.#at = (this.#at + step + length + (this.#at < 0 && step < 0 ? 1 : 0)) % length;
    [...this.#list.children].forEach((option, i) => option.setAttribute('aria-selected', String(i === this.#at)));
    this.#list.children[this.#at].scrollIntoView({ block: 'nearest' });
    this.#input.setAttribute('aria-activedescendant', `${this.#listId}-${this.#at}`);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const isOpen = this.#completions.length > 0;
    if (event.key === 'Enter') {
      if (isOpen && this.#at >= 0) this.#take(this.#at);
      else this.#add();
    } else if (event.key === 'ArrowDown') this.#move(1);
    else if (event.key === 'ArrowUp') this.#move(-1);
    else if (event.key === 'Escape' && isOpen) this.#showCompletions([]);
    else return;
    event.preventDefault();
  }
}
