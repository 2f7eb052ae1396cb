// Node's modules for what runs at the start of every traced program. An `import` of one makes Node wrap all its exports, and
// of node:fs that loads node:fs/promises: 4 ms that a small program notices.

const load = process.getBuiltinModule;

export const { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = load('node:fs');
export const { createRequire } = load('node:module');
export const { constants } = load('node:os');
export const { basename, dirname, join, relative } = load('node:path');
export const { fileURLToPath } = load('node:url');
