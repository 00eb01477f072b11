import process from "node:process";

/** Objects and the buffers behind typed arrays, after garbage is gone where that can be asked for. */
export function bytesHeld(): number {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
