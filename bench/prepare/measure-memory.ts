import process from "node:process";
import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collect: () => void = vm.runInNewContext("gc");

/** Bytes in use after the garbage is gone. */
export function measureMemory(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
