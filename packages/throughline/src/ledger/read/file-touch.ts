import type { FileAction } from "../ledger.ts";

/** An action of a call on a file. */
export interface FileTouch {
  readonly path: string;
  readonly action: FileAction;
  readonly to?: string;
}
