// What is loaded, and what the loader warned of.
import { byteSize, counted, grouped } from '../../js/views/text.js';
import { h } from './dom.js';
import { emptyState } from './view-parts.js';

/** @import {ModuleInfo} from '../../js/views/recorded.js' */
/** @import {PanelSource} from './source.js' */

/** @param {ModuleInfo} module */
function sizeText({ originalSize, tracedSize }) {
  if (tracedSize <= 0) return byteSize(originalSize);
  const more = ((tracedSize / originalSize - 1) * 100).toFixed(1);
  return `${byteSize(originalSize)} → ${byteSize(tracedSize)} (+${more} %)`;
}

/** @param {ModuleInfo} module */
function functionsText({ functions, imports, traced, tiny }) {
  const small = tiny > 0 ? `, ${grouped(tiny)} too small` : '';
  return `${counted(functions, 'function')} (${grouped(traced)} traced${small}), ${counted(imports, 'import')}`;
}

const LINKS = Object.freeze({ merged: 'merged into the module', split: 'beside the module', heap: 'in the module\'s heap' });

/** @param {ModuleInfo} module */
function facts(module) {
  const { named, milliseconds, link, instances } = module;
  return [
    ['Functions', functionsText(module)],
    ['Names', named ? 'yes' : 'none'],
    ['Size', sizeText(module)],
    ...(milliseconds > 0 ? [['Rewritten in', `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`]] : []),
    ['Recorder', LINKS[link]],
    ['Instances', grouped(instances)],
  ];
}

/** @param {ModuleInfo} module */
function moduleCard(module) {
  return h(
    'article',
    { class: 'card' },
    h('h3', {}, module.name),
    h('dl', {}, ...facts(module).flatMap(([term, text]) => [h('dt', {}, term), h('dd', {}, text)])),
    module.named ? null : h('p', { class: 'hint' }, 'Functions are shown by number, since this module has no names. Build it with names (Emscripten: --profiling-funcs; Rust: debug = 1 or strip = false), or give a file with symbols.'),
  );
}

export class ModulesView {
  #modules = h('div', { class: 'cards' });
  #warnings = h('section', { class: 'warnings' });
  #empty = emptyState();
  #told = '';

  constructor() {
    const scroller = h(
      'div',
      { class: 'modules', tabindex: 0, role: 'region', 'aria-label': 'Modules and warnings' },
      this.#warnings,
      this.#modules,
    );
    this.element = h('div', { class: 'view' }, scroller, this.#empty.element);
  }

  /** @param {PanelSource} source */
  show(source) {
    const [modules, warnings] = [source.modules(), source.warnings()];
    const told = JSON.stringify([modules, warnings]);
    if (told === this.#told) return;
    this.#told = told;
    this.#empty.show(modules.length + warnings.length === 0 && 'No module loaded yet', 'WebAssembly modules are listed here as the page loads them.');
    this.#modules.replaceChildren(...modules.map(moduleCard));
    this.#warnings.hidden = warnings.length === 0;
    this.#warnings.replaceChildren(h('h3', {}, counted(warnings.length, 'warning')), h('ul', {}, ...warnings.map((text) => h('li', {}, text))));
  }
}
