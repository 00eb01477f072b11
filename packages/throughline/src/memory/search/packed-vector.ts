// Vectors are stored as signed bytes, scaled so that the largest component is 127: only the direction matters. Vectors of
// embedding models have a second byte per component, because one byte loses several percent of their nearest neighbors.

/** First byte of a vector with two bytes per component. Components are at least -127. */
const FINE = 0x80;
/** Largest component with two bytes: 127 in the first one and 127 in the second. */
const LARGEST_FINE = 127 * 256 + 127;

/** A vector as bytes: one per component, or two if `isFine`. */
export function packVector(vector: Float32Array, isFine: boolean = false): Uint8Array {
  const longest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = longest > 0 ? (isFine ? LARGEST_FINE : 127) / longest : 0;
  if (!isFine) return Uint8Array.from(vector, (value) => Math.round(value * scale) & 0xff);
  const bytes = new Uint8Array(1 + 2 * vector.length);
  bytes[0] = FINE;
  vector.forEach((value, at) => {
    const whole = Math.round(value * scale);
    // Rounded to the nearest, so that the first bytes alone are the best approximation.
    const high = (whole + 128) >> 8;
    bytes[1 + at] = high & 0xff;
    bytes[1 + vector.length + at] = (whole - 256 * high) & 0xff;
  });
  return bytes;
}

/** A packed vector: its first bytes, and its second ones if it has any. */
export interface UnpackedVector {
  readonly high: Int8Array;
  readonly low: Int8Array | undefined;
}

/** Reads the output of {@link packVector}. The arrays are views of the bytes. */
export function unpackVector(bytes: Uint8Array): UnpackedVector {
  const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[0] !== FINE) return { high: signed, low: undefined };
  const dimensions = (bytes.length - 1) / 2;
  return { high: signed.subarray(1, 1 + dimensions), low: signed.subarray(1 + dimensions) };
}
