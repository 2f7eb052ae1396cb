// The tab of the sequence chart: the calls of one instance in their order, or in time.
import { hasTimes } from '../../js/views/sequence-layout.js';
import { counted, grouped } from '../../js/views/text.js';
import { clockLabel } from '../../js/views/weights.js';
import { h } from './dom.js';
import { eventNotes } from './notes.js';
import { SequenceView } from './sequence-view.js';
import { canTellSpans, tellSpans } from './spans.js';
import { emptyState, explainNoEvents, legendOfFrames, notesBar, selectOf } from './view-parts.js';

/** @import {Shown} from './shown.js' */

export class SequenceTab {
  #chart;
  #container = h('div', { class: 'chart' });
  #tools;
  #search = h('input', { type: 'search', placeholder: 'Search functions', 'aria-label': 'Search functions', oninput: () => this.#find() });
  #found = h('span', { class: 'dim', role: 'status' });
  #notes = notesBar();
  #legend = legendOfFrames();
  #empty = emptyState();
  #axis = selectOf('Axis', { time: 'Axis: time', event: 'Axis: event number' }, (axis) => {
    this.#chart.axis = axis;
  });

  #spans = h(
    'button',
    {
      type: 'button',
      class: 'small spans',
      title: "Show these calls in the Performance panel of the browser's developer tools, in a recording that runs now",
      onclick: () => this.#tellSpans(),
    },
    'To DevTools',
  );
  /** What was told to the developer tools. */
  #told = h('span', { class: 'dim', role: 'status' });
  /** @type {Shown | null} */
  #shown = null;

  /** @param {(func: number | null) => void} onSelect */
  constructor(onSelect) {
    const whole = h('button', { type: 'button', class: 'small', title: 'Show everything again (Escape)', onclick: () => this.#chart.focus() }, 'Whole');
    this.#tools = h('div', { class: 'tools' }, this.#search, this.#found, h('span', { class: 'gap' }), this.#told, this.#axis, this.#spans, whole);
    this.element = h('div', { class: 'view' }, this.#tools, this.#container, this.#legend, this.#empty.element, this.#notes.element);
    this.#chart = new SequenceView(this.#container);
    this.#chart.onSelect = (call) => onSelect(call?.func ?? null);
  }

  /** @param {Shown} shown */
  show(shown) {
    const { model, names, choice, isSum, metadata, resolution } = shown;
    const isEmpty = isSum || !metadata.ring || model.events.length === 0;
    this.#shown = shown;
    this.#spans.hidden = !canTellSpans(shown);
    this.#container.hidden = this.#tools.hidden = this.#legend.hidden = isEmpty;
    explainNoEvents(this.#empty, shown, isEmpty);
    if (!isEmpty) {
      this.#axis.hidden = !hasTimes(model);
      if (metadata.clock) this.#axis.options[0].textContent = `Axis: ${clockLabel(metadata.clock, resolution)}`;
      this.#chart.show({ model, names, title: choice.text });
      this.#find();
    }
    this.#notes.show(eventNotes(shown));
  }

  #tellSpans() {
    if (!this.#shown) return;
    const { told, left } = tellSpans(this.#shown);
    const shorter = left > 0 ? `, ${grouped(left)} shorter ones not` : '';
    this.#told.textContent = `${counted(told, 'call')} told${shorter}`;
  }

  #find() {
    const { matches } = this.#chart.search(this.#search.value);
    this.#found.textContent = this.#search.value === '' ? '' : counted(matches, 'call');
  }
}
