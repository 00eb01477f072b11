import type { Ledger } from "./ledger.ts";
import { wasChanged } from "./note-files.ts";

/** What a compaction must not lose. */
export interface CriticalItem {
  readonly kind: "request" | "constraint" | "to-do" | "file";
  readonly text: string;
}

/** Open requests, constraints, open to-dos and files that were changed, word for word as the ledger has them. */
export function criticalItems(ledger: Ledger): readonly CriticalItem[] {
  const items = (kind: CriticalItem["kind"], list: readonly { readonly text: string }[]) =>
    list.map(({ text }): CriticalItem => ({ kind, text }));
  return [
    ...items(
      "request",
      ledger.requests.filter(({ state }) => state === "open"),
    ),
    ...items("constraint", ledger.constraints),
    ...items(
      "to-do",
      ledger.todos.filter(({ status }) => status !== "completed"),
    ),
    ...ledger.files.filter(wasChanged).map(({ path }): CriticalItem => ({ kind: "file", text: path })),
  ];
}
