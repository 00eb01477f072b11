import { Catalogues } from "./catalogues.ts";
import { ContextEngine, type ContextOptions } from "./context-engine.ts";
import { Predictor } from "./predict/predictor.ts";

/** Dependencies of `tl.context`. */
export type ContextPorts = Omit<ContextOptions, "catalogues" | "prediction">;

/** Creates assembly and its predictor, which share their catalogues. */
export function createContext(ports: ContextPorts): ContextEngine {
  const catalogues = new Catalogues(ports.shelf, ports);
  return new ContextEngine({ ...ports, catalogues, prediction: new Predictor({ ...ports, catalogues }) });
}
