import { omitUndefined } from "../internal/json.ts";
import { handleOf } from "../message/part.ts";
import type { Ledger } from "./ledger.ts";
import { wasChanged } from "./reduce-files.ts";

/** An item that a compaction must not lose. */
export interface CriticalItem {
  readonly kind: "request" | "constraint" | "to-do" | "file";
  readonly text: string;
  /** Handle for `session.expand` that returns the user's own words. */
  readonly handle?: string;
}

/**
 * Returns the items of a ledger that a compaction must not lose: open requests, rules of the user, open to-dos and
 * changed files, verbatim.
 *
 * @param ledger Ledger of the session.
 *
 * @example
 * for (const { kind, text } of criticalItems(ledger)) console.log(kind, text);
 */
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
