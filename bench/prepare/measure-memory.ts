import process from "node:process";
import { collectGarbage } from "../collect-garbage.ts";

/** Heap bytes after a garbage collection. */
export function measureMemory(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
