import type { DocumentShelf } from "../ports/documents.ts";
import type { Workspace } from "../ports/workspace.ts";
import { Catalogues } from "./catalogues.ts";
import { ContextService, type ContextServiceOptions } from "./context-service.ts";
import { Predictor } from "./predict/predictor.ts";

/** What context is made of. */
export interface ContextPorts extends Omit<ContextServiceOptions, "catalogues" | "prediction"> {
  readonly documents: DocumentShelf;
  readonly workspace?: Workspace | undefined;
}

/** Assembly with its predictor. Both look at the same catalogues. */
export function createContext(ports: ContextPorts): ContextService {
  const catalogues = new Catalogues(ports.shelf, ports);
  return new ContextService({ ...ports, catalogues, prediction: new Predictor({ ...ports, catalogues }) });
}
