import type { View } from "../index/view.ts";

/**
 * About `rate` of the documents of a view that are visible, evenly spread; all of them if `rate` is 1. Each step has a
 * pseudo-random offset, because texts often repeat at a fixed distance.
 */
export function sampleDocuments({ index, visible }: View, rate: number): Uint32Array {
  const { length } = index.documents;
  const count = rate >= 1 ? length : Math.min(length, Math.ceil(rate * length));
  const sampled = new Uint32Array(count);
  let size = 0;
  for (let at = 0; at < count; at += 1) {
    const document = rate >= 1 ? at : Math.min(length - 1, Math.floor(((at + offset(at)) * length) / count));
    if (visible[document] !== 1) continue;
    sampled[size] = document;
    size += 1;
  }
  return sampled.subarray(0, size);
}

/** A fraction from 0 to 1 that looks random and is the same in each query. */
function offset(at: number): number {
  let mixed = Math.imul(at + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 4_294_967_296;
}
