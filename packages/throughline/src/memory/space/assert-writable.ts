import { ForbiddenError } from "../../errors/forbidden-error.ts";
import { type Caller, isWritable } from "./spaces.ts";

/** @throws ForbiddenError if the caller may only read the space. */
export function assertWritable(space: string, caller: Caller): void {
  if (!isWritable(space, caller))
    throw new ForbiddenError("memories in the scope system", "Ask an administrator to change it.");
}
