import type { FileAction } from "./ledger.ts";

/** Something that a call does to a file. */
export interface FileTouch {
  readonly path: string;
  readonly action: FileAction;
  readonly to?: string;
}
