// <wasm-trace-panel>: shows what is recorded, live or not. Its property `source` says of what (source.js); the attribute `dock`
// where it stands: right, bottom, hidden (at the right, once it is shown), or page for one that fills the page.
import { reportKinds } from '../../js/views/report-kinds.js';
import { DockFrame } from './dock.js';
import { h, icon, uniqueId } from './dom.js';
import { ICONS } from './icons.js';
import { NeighboursView } from './neighbours-view.js';
import { ProbeBar } from './probe-bar.js';
import { Recorder } from './recorder.js';
import { remember, remembered } from './remembered.js';
import { copyText, saveHtml, saveJson } from './save-actions.js';
import { NO_SOURCE } from './source.js';
import { panelStyles } from './styles.js';
import { MODULES_TAB, SESSION_TABS, TRAPS_TAB } from './tab-list.js';
import { Tabs } from './tabs.js';
import { Toolbar } from './toolbar.js';
import { emptyState } from './view-parts.js';

/** @import {Shown} from './shown.js' */
/** @import {PanelSource} from './source.js' */
/** @import {TabView} from './tab-list.js' */

const SHORTCUT = 'Alt+Shift+W';
const MESSAGE_TIME = 6000;
const TABS = [...SESSION_TABS, TRAPS_TAB, MODULES_TAB];
/** Of the displays that have callers below the called. */
const CALLERS_TAB = 'callers';

/** The tab that shows what was asked for, or what went wrong. @param {PanelSource} source @param {Shown | null} shown */
function fittingTab(source, shown) {
  if (hasTraps(source)) return TRAPS_TAB.id;
  if (!shown) return SESSION_TABS[0].id;
  const [kind] = reportKinds(shown.metadata);
  if (kind === 'tree') return SESSION_TABS[0].id;
  return TABS.some(({ id }) => id === kind) ? kind : CALLERS_TAB;
}

/** @param {PanelSource} source */
function hasTraps({ traps }) {
  return traps !== undefined && traps().length > 0;
}

/** What there will be to see. @param {PanelSource} source */
function awaited(source) {
  const trace = source.trace().join(' or ');
  return trace === ''
    ? 'Calls show up here once the page runs a WebAssembly module that is traced.'
    : `Calls show up here once the page runs a WebAssembly module in which ${trace} matches something.`;
}

export class WasmTracePanel extends HTMLElement {
  static observedAttributes = ['dock'];

  #frame = new DockFrame(this);
  #recorder = new Recorder(() => this.#update());
  #toolbar;
  #probes = new ProbeBar((text) => this.#say(text));
  #body = h('div', { class: 'body' });
  #tabs = new Tabs(TABS, this.#body, (id) => this.#choose(id));
  #neighbours = new NeighboursView((func) => this.#select(func));
  #empty = emptyState();
  #message = h('p', { class: 'message', role: 'status' });
  #panel;
  #show;
  /** @type {Map<string, {element: HTMLElement, show: (what: any) => void}>} those that were looked at, by tab */
  #views = new Map();
  /** What the view of each tab shows. @type {Map<string, unknown>} */
  #drawn = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;
  /** @type {number | null} */
  #selected = null;
  #hasBegun = false;
  /** In a report, which is another one with every file. @type {string | undefined} */
  #chosenTab;

  constructor() {
    super();
    this.#toolbar = this.#makeToolbar();
    this.#panel = h(
      'div',
      { class: 'panel', id: uniqueId('panel-box') },
      this.#frame.handle,
      this.#toolbar.element,
      this.#probes.element,
      this.#tabs.element,
      h('div', { class: 'main' }, this.#body, this.#neighbours.element),
      this.#message,
    );
    this.#body.append(this.#empty.element);
    this.#show = h(
      'button',
      { type: 'button', class: 'show', title: `Show wasm-trace (${SHORTCUT})`, onclick: () => this.#hide(false) },
      icon(ICONS.flame),
      'wasm-trace',
    );
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [panelStyles()];
    root.append(this.#panel, this.#show);
  }

  #makeToolbar() {
    return new Toolbar(
      {
        record: () => this.#recorder.record(),
        stop: () => this.#recorder.stop(),
        clear: () => this.#recorder.clear(),
        choose: (id) => this.#recorder.choose(id),
        saveHtml: () => this.#try(() => saveHtml(this.source, this.#recorder.sessions)),
        saveJson: () => this.#try(async () => saveJson(this.#recorder.sessions)),
        copy: () => this.#try(() => this.#copy()),
        turn: () => this.setAttribute('dock', this.#frame.dock === 'bottom' ? 'right' : 'bottom'),
        hide: () => this.#hide(true),
      },
      SHORTCUT,
    );
  }

  /** @returns {PanelSource} */
  get source() {
    return this.#recorder.source;
  }

  /** @param {PanelSource | null} source */
  set source(source) {
    this.#drawn.clear();
    this.#recorder.source = source ?? NO_SOURCE;
  }

  connectedCallback() {
    this.#frame.begin(this.getAttribute('dock'));
    this.#hasBegun = true;
    document.addEventListener('keydown', this.#shortcut);
    document.addEventListener('visibilitychange', this.#look);
    const hidden = remembered().hidden ?? this.getAttribute('dock') === 'hidden';
    this.#hide(hidden && this.#frame.dock !== 'page', false);
    this.#update();
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#shortcut);
    document.removeEventListener('visibilitychange', this.#look);
    this.#recorder.visible = false;
  }

  /** @param {string} _name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(_name, before, after) {
    if (!this.#hasBegun || before === after) return;
    this.#frame.set(after);
    this.#update();
  }

  #look = () => {
    this.#recorder.visible = this.isConnected && !this.#panel.hidden && document.visibilityState === 'visible';
  };

  #shortcut = (/** @type {KeyboardEvent} */ event) => {
    if (!event.altKey || !event.shiftKey || event.code !== 'KeyW' || this.#frame.dock === 'page') return;
    event.preventDefault();
    this.#hide(!this.#panel.hidden);
  };

  /** @param {boolean} hidden @param {boolean} [focus] */
  #hide(hidden, focus = true) {
    this.#panel.hidden = hidden;
    this.#show.hidden = !hidden;
    this.toggleAttribute('data-hidden', hidden);
    if (this.#frame.dock !== 'page' && focus) remember({ hidden });
    if (focus && hidden) this.#show.focus();
    this.#look();
  }

  /** @param {string} id of a tab */
  #choose(id) {
    this.#chosenTab = id;
    if (this.#frame.dock !== 'page') remember({ tab: id });
    this.#update();
  }

  /** @param {number | null} func */
  #select(func) {
    this.#selected = func;
    this.#showNeighbours();
  }

  /** Beside the views of a session. */
  #showNeighbours() {
    const { shown } = this.#recorder;
    const isBeside = SESSION_TABS.some(({ id }) => id === this.#tabs.selected);
    this.#neighbours.show(isBeside ? shown : null, this.#selected);
  }

  /** @param {string} text */
  #say(text) {
    clearTimeout(this.#silence);
    this.#message.textContent = text;
    this.#silence = setTimeout(() => (this.#message.textContent = ''), MESSAGE_TIME);
  }

  /** Says what came of it. @param {() => Promise<string>} action */
  async #try(action) {
    try {
      this.#say(await action());
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
  }

  async #copy() {
    const { shown } = this.#recorder;
    const tab = SESSION_TABS.find(({ id }) => id === this.#tabs.selected);
    return copyText(this.source, shown, tab);
  }

  #update() {
    if (!this.isConnected) return;
    const { source, isLive, isOff, choices, shown } = this.#recorder;
    this.#toolbar.show({ controlled: source.control !== null, live: isLive && !isOff, off: isOff, dock: this.#frame.dock, choices, chosen: shown?.choice.id ?? '' });
    this.#probes.show(source.control, source.trace());
    this.#showTabs(source);
    this.#showBody(shown);
    this.#showNeighbours();
  }

  /** @param {PanelSource} source */
  #showTabs(source) {
    this.#tabs.count(MODULES_TAB.id, source.warnings().length);
    this.#tabs.show(TRAPS_TAB.id, hasTraps(source));
    const chosen = this.#frame.dock === 'page' ? this.#chosenTab : remembered().tab;
    const possible = TABS.some(({ id }) => id === chosen) && (chosen !== TRAPS_TAB.id || hasTraps(source));
    const wanted = possible ? /** @type {string} */ (chosen) : fittingTab(source, this.#recorder.shown);
    if (wanted !== this.#tabs.selected) this.#tabs.select(wanted);
  }

  /** @param {Shown | null} shown */
  #showBody(shown) {
    const id = this.#tabs.selected;
    const what = this.#contentOf(id, shown);
    this.#empty.show(
      what === null && 'Nothing recorded yet',
      awaited(this.source),
    );
    for (const [tab, { element }] of this.#views) element.hidden = tab !== id || what === null;
    if (what === null) return;
    const view = this.#viewOf(id);
    view.element.hidden = false;
    // What modules there are can change with the same source.
    if (this.#drawn.get(id) === what && id !== MODULES_TAB.id) return;
    this.#drawn.set(id, what);
    view.show(what);
  }

  /** What a tab shows; null: nothing is there. @param {string} id @param {Shown | null} shown */
  #contentOf(id, shown) {
    if (id === MODULES_TAB.id) return this.source;
    if (id === TRAPS_TAB.id) return this.source.traps?.() ?? [];
    return shown;
  }

  /** @param {string} id */
  #viewOf(id) {
    const known = this.#views.get(id);
    if (known) return known;
    const row = /** @type {typeof TABS[number]} */ (TABS.find((tab) => tab.id === id));
    /** @type {{element: HTMLElement, show: (what: any) => void}} */
    const view = row.make((func) => this.#select(func));
    this.#views.set(id, view);
    this.#body.append(view.element);
    return view;
  }
}

if (!customElements.get('wasm-trace-panel')) customElements.define('wasm-trace-panel', WasmTracePanel);
