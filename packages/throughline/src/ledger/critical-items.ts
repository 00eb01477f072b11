import { omitUndefined } from "../internal/json.ts";
import { handleOf } from "../prune/mask-output.ts";
import type { Ledger } from "./ledger.ts";
import { wasChanged } from "./note-files.ts";

/** What a compaction must not lose. */
export interface CriticalItem {
  readonly kind: "request" | "constraint" | "to-do" | "file";
  readonly text: string;
  /** Under which the user's own words can be had again. */
  readonly handle?: string;
}

/** Open requests, constraints, open to-dos and files that were changed, word for word as the ledger has them. */
export function criticalItems(ledger: Ledger): readonly CriticalItem[] {
  const items = (kind: CriticalItem["kind"], list: readonly { readonly text: string; readonly part?: string }[]) =>
    list.map(
      ({ text, part }): CriticalItem =>
        omitUndefined({ kind, text, handle: part === undefined ? undefined : handleOf(part) }),
    );
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
