// Tells Ninja what a file was made of.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} depfile @param {string} made @param {readonly string[]} inputs by their paths from the root */
export function writeDepfile(depfile, made, inputs) {
  const files = inputs.map((file) => path.join(root, file).replaceAll(' ', '\\ '));
  writeFileSync(depfile, `${made}: ${files.join(' ')}\n`);
}
