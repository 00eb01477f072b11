import type { LedgerFile } from "./ledger.ts";

export const SECTIONS = [
  "Requests",
  "Constraints",
  "Files",
  "Commands",
  "Open to-dos",
  "Errors",
  "Decisions",
  "Names",
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** One entry that the ledger could say, in forms from long to short. */
export interface LedgerLine {
  readonly section: SectionName;
  readonly forms: readonly string[];
  readonly file?: LedgerFile;
  /** It is one of what a compaction must not lose. */
  readonly critical: boolean;
}

/** A line of a section; a form that is no shorter than one before it is of no use. */
export function ledgerLine(section: SectionName, forms: readonly string[], critical = false): LedgerLine {
  const useful = forms.filter((form, index) => forms.slice(0, index).every((other) => form.length < other.length));
  return { section, forms: useful, critical };
}
