/**
 * Prints progress to stderr, because stdout belongs to the product.
 *
 * @param {string} line
 */
export function log(line) {
  process.stderr.write(`${line}\n`);
}

/** @param {number} start of performance.now() */
export function secondsSince(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
