import process from "node:process";
import { collectGarbage } from "../collect-garbage.ts";

/** Objects and the buffers behind typed arrays, after garbage is gone. */
export function bytesHeld(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
