import { undoInsertions } from "../integrations/jsonc.ts";
import { digestOf, type InstallNote } from "./install-notes.ts";

/**
 * A file without what we wrote: byte for byte what it was, where nobody changed it since; else without what is ours in
 * it.
 */
export function withoutOurs(text: string, note: InstallNote | undefined, remove: (text: string) => string): string {
  const isAsWeLeftIt = note !== undefined && note.left === digestOf(text);
  const before = isAsWeLeftIt ? undoInsertions(text, note.insertions) : undefined;
  return before ?? remove(text);
}
