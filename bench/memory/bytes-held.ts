import process from "node:process";
import { collectGarbage } from "../collect-garbage.ts";

/** Heap and array buffers after a garbage collection. */
export function bytesHeld(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
