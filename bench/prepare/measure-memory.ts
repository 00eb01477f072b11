import process from "node:process";
import { collectGarbage } from "../collect-garbage.ts";

/** Bytes in use after the garbage is gone. */
export function measureMemory(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
