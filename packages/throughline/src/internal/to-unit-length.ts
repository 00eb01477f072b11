/** Normalizes a vector to length 1. A zero vector stays zero. */
export function toUnitLength(values: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(values);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length < 1e-6 ? vector.fill(0) : vector.map((value) => value / length);
}
