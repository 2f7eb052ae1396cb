// Words as a shell reads them.

/**
 * Writes a word so that a shell reads it back as that word.
 * @param {string} word
 */
export function quoteWord(word) {
  return /^[A-Za-z0-9_./+:@%,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
