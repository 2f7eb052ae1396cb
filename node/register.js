// The preload for --import: the same as register.cjs, without Node's reader of CommonJS exports on the way.

import { createRequire } from 'node:module';

createRequire(import.meta.url)('./register.cjs');
