import { ForbiddenError } from "../../errors/forbidden-error.ts";
import { isWritable, type Visit } from "./spaces.ts";

/** @throws ForbiddenError where the visitor may only read the space. */
export function refuseReadOnly(space: string, visit: Visit): void {
  if (!isWritable(space, visit)) throw new ForbiddenError("What everybody has", "Ask an administrator to change it.");
}
