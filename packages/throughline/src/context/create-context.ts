import { ContextEngine, type ContextOptions } from "./context-engine.ts";
import { MemoryIndexes } from "./memory-indexes.ts";
import { Predictor } from "./predict/predictor.ts";

/** Dependencies of `tl.context`. */
export type ContextPorts = Omit<ContextOptions, "memoryIndexes" | "prediction">;

/** Creates assembly and its predictor, which share their memory indexes. */
export function createContext(ports: ContextPorts): ContextEngine {
  const memoryIndexes = new MemoryIndexes(ports.memoryStore, ports);
  return new ContextEngine({ ...ports, memoryIndexes, prediction: new Predictor({ ...ports, memoryIndexes }) });
}
