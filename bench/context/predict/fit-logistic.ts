/** A candidate with its features, and whether it was used. */
export interface Example {
  readonly features: Float64Array;
  readonly used: 0 | 1;
  readonly weight: number;
}

const MAX_STEPS = 15;
const CLOSE = 1e-5;
const TINY = 1e-12;

/** Weights of a logistic model by Newton's method, with L2 regularization `ridge`. */
export function fitLogistic(examples: readonly Example[], size: number, ridge: number): Float64Array {
  const weights = new Float64Array(size);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { gradient, curvature } = slopes(examples, weights);
    for (let i = 0; i < size; i += 1) {
      gradient[i] = (gradient[i] ?? 0) - ridge * (weights[i] ?? 0);
      const row = curvature[i] ?? new Float64Array(size);
      row[i] = (row[i] ?? 0) + ridge;
      for (let j = 0; j < i; j += 1) (curvature[j] ?? row)[i] = row[j] ?? 0;
    }
    const change = solve(curvature, gradient);
    for (let i = 0; i < size; i += 1) weights[i] = (weights[i] ?? 0) + (change[i] ?? 0);
    if (change.every((one) => Math.abs(one) < CLOSE)) break;
  }
  return weights;
}

export function sumOf(weights: Float64Array, features: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at += 1) sum += (weights[at] ?? 0) * (features[at] ?? 0);
  return sum;
}

function slopes(examples: readonly Example[], weights: Float64Array) {
  const size = weights.length;
  const gradient = new Float64Array(size);
  const curvature = Array.from({ length: size }, () => new Float64Array(size));
  for (const { features, used, weight } of examples) {
    const likely = 1 / (1 + Math.exp(-sumOf(weights, features)));
    const [error, spread] = [weight * (used - likely), weight * likely * (1 - likely)];
    for (let i = 0; i < size; i += 1) {
      const one = features[i] ?? 0;
      if (one === 0) continue;
      gradient[i] = (gradient[i] ?? 0) + error * one;
      const row = curvature[i] ?? new Float64Array(size);
      for (let j = 0; j <= i; j += 1) row[j] = (row[j] ?? 0) + spread * one * (features[j] ?? 0);
    }
  }
  return { gradient, curvature };
}

/** Solves linear equations by Gaussian elimination; undetermined values stay 0. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, at) => Float64Array.from([...row, right[at] ?? 0]));
  for (const [at, pivot] of rows.entries()) {
    const head = pivot[at] ?? 0;
    if (Math.abs(head) < TINY) continue;
    for (const row of rows) if (row !== pivot) subtract(row, pivot, (row[at] ?? 0) / head);
  }
  return Float64Array.from(rows, (row, at) => {
    const head = row[at] ?? 0;
    return Math.abs(head) < TINY ? 0 : (row.at(-1) ?? 0) / head;
  });
}

function subtract(row: Float64Array, other: Float64Array, factor: number): void {
  if (factor === 0) return;
  for (let at = 0; at < row.length; at += 1) row[at] = (row[at] ?? 0) - factor * (other[at] ?? 0);
}
