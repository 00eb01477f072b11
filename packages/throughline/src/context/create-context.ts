import { Catalogues } from "./catalogues.ts";
import { ContextService, type ContextServiceOptions } from "./context-service.ts";
import { Predictor } from "./predict/predictor.ts";

/** What context is made of. */
export type ContextPorts = Omit<ContextServiceOptions, "catalogues" | "prediction">;

/** Assembly with its predictor. Both look at the same catalogues. */
export function createContext(ports: ContextPorts): ContextService {
  const catalogues = new Catalogues(ports.shelf, ports);
  return new ContextService({ ...ports, catalogues, prediction: new Predictor({ ...ports, catalogues }) });
}
