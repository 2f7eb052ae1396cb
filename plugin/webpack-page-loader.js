// The loader through which webpack reads the page script.

import { pageModule } from './page-script.js';

export default function load() {
  return pageModule();
}
