import { omitUndefined } from "../../internal/json.ts";
import { cutMiddle } from "../../internal/text.ts";
import { handleOf } from "../../message/part.ts";
import type { Ledger, LedgerCommand, LedgerOutlook, LedgerTodo } from "../ledger.ts";
import { isLook } from "../read/read-shell.ts";
import { wasChanged } from "../reduce-outcome.ts";

const COMMIT = /\bgit (?:-\S+ \S+ )?commit\b/;
/** A script in a directory for temporary files. */
const SCRATCH = /\bcd (?:\/private)?\/tmp\b|\bmktemp\b/;
/** Maximum number of open to-dos in a note. */
const MAX_TODOS = 12;

/** State of the work: tasks in progress, next steps, and checks since the last change. */
export function stateLines(ledger: Ledger): readonly string[] {
  const { current: todos, left } = splitTodos(ledger);
  const open = todos.filter(({ status }) => status !== "completed").slice(0, MAX_TODOS);
  const done = todos.filter(({ status }) => status === "completed");
  const current = open.filter(({ status }) => status === "in_progress").map(({ text }) => `- In progress: ${text}`);
  const next = open.filter(({ status }) => status === "pending").map(({ text }) => `- Next: ${text}`);
  const outlook = currentOutlook(ledger);
  const outlookLine =
    outlook?.kind === "question"
      ? `- The assistant asked: ${outlook.text}`
      : `- The assistant's last step: ${outlook?.text.replace(/:$/, "")}`;
  return [
    ...current,
    ...(outlook === undefined ? [] : [outlookLine]),
    ...verified(ledger),
    ...committed(ledger),
    ...next,
    ...(open.length > 0 && done.length > 0
      ? [
          `- Finished: ${done
            .slice(-4)
            .map(({ text }) => text)
            .join("; ")}`,
        ]
      : []),
    ...left,
  ];
}

/**
 * Divides the to-dos into current ones and a line about those of lists that nobody has updated since an earlier request
 * ended. Some of those may be done.
 */
function splitTodos({ todos, requests }: Ledger): {
  readonly current: readonly LedgerTodo[];
  readonly left: readonly string[];
} {
  const lists = [...Map.groupBy(todos, ({ list }) => list).values()].map((items) => {
    const updated = Math.max(...items.map(({ at }) => at));
    const request = requests.findLastIndex(({ at }) => at <= updated);
    const hasEnded = request >= 0 && requests[request]?.state !== "open" && request < requests.length - 1;
    return { items, since: hasEnded ? requests.length - 1 - request : 0 };
  });
  const old = lists.filter(({ since }) => since > 0);
  const texts = old.flatMap(({ items }) => items.filter(({ status }) => status !== "completed"));
  const age = Math.min(...old.map(({ since }) => since));
  const shown = texts.slice(0, MAX_TODOS).map(({ text }) => text);
  return {
    current: lists.flatMap(({ items, since }) => (since === 0 ? items : [])),
    left:
      texts.length === 0
        ? []
        : [
            `- Left in the to-do list, not updated during the last ${age === 1 ? "request" : `${age} requests`}: ${shown.join("; ")}`,
          ],
  };
}

/** The unanswered question to the user, or the announced step for a request that is still open. */
export function currentOutlook({ outlook, requests }: Ledger): LedgerOutlook | undefined {
  const last = requests.at(-1);
  if (outlook === undefined || (last !== undefined && outlook.at < last.at)) return undefined;
  const isWanted = outlook.kind === "question" ? last?.state !== "open" : last?.state === "open";
  return isWanted ? outlook : undefined;
}

/** The last command that tests, with a note if files were changed after it. */
function verified({ commands, files }: Ledger): readonly string[] {
  const test = commands.findLast(({ tests, outcome }) => tests === true && (outcome === "ok" || outcome === "failed"));
  if (test === undefined) return [];
  const changed = files.filter((file) => file.at > test.at && wasChanged(file) && file.last !== "read");
  const how = test.outcome === "ok" ? "passed" : "failed";
  const since =
    changed.length === 0
      ? ""
      : `, before the last changes to ${changed
          .slice(-3)
          .map(({ path }) => path.split("/").at(-1))
          .join(", ")}`;
  return [`- Last check: \`${cutMiddle(test.text, 100)}\` ${how}${since}`];
}

/** The last commit, and the files changed since. */
function committed({ commands, files }: Ledger): readonly string[] {
  const commit = commands.findLast(
    ({ gist, text, outcome }) => outcome === "ok" && COMMIT.test(`${gist}\n${text}`) && !SCRATCH.test(text),
  );
  if (commit === undefined) return [];
  const changed = files.filter((file) => file.at > commit.at && wasChanged(file) && file.last !== "read");
  const names = changed.slice(-3).map(({ path }) => path.split("/").at(-1));
  const more = changed.length > names.length ? ` and ${changed.length - names.length} more` : "";
  const since = changed.length === 0 ? "nothing changed since" : `changed since: ${names.join(", ")}${more}`;
  return [`- Last commit: \`${cutMiddle(commit.text, 100)}\`; ${since}`];
}

/** True if two commands are attempts at the same thing. A refused one is not compared with those that ran. */
function isSameAttempt(one: LedgerCommand, other: LedgerCommand): boolean {
  return one.gist === other.gist && (one.outcome === "refused") === (other.outcome === "refused");
}

/**
 * Commands with their last outcome, newest first, in forms from long to short. Read-only commands and failures that
 * were resolved are left out.
 */
export function commandForms({ commands, errors }: Ledger): readonly (readonly string[])[] {
  const newest = commands.toReversed();
  const resolved = new Set(errors.flatMap(({ source, resolved: how }) => (how === undefined ? [] : [source])));
  const last = newest.filter(
    (command, index) =>
      !isLook(command.gist) &&
      !(command.outcome === "failed" && resolved.has(command.text)) &&
      newest.findIndex((other) => isSameAttempt(other, command)) === index,
  );
  return last.map(({ text, runs, outcome, exitCode }) => {
    const code = exitCode === undefined || exitCode === 0 ? "" : ` (exit ${exitCode})`;
    const how = `${outcome}${code}${runs > 1 ? `, ${runs} runs` : ""}`;
    return [160, 80].map((max) => `- \`${cutMiddle(text, max)}\` ${how}`);
  });
}

/**
 * Open errors in forms from long to short, newest first. After another request only failed checks count: other commands
 * were not retried, so the work continued without them.
 */
export function errorForms({ errors, commands, requests }: Ledger): readonly (readonly string[])[] {
  const last = requests.at(-1)?.at ?? 0;
  const isCheck = (source: string) => commands.some(({ text, tests }) => text === source && tests === true);
  return errors
    .toReversed()
    .filter(({ resolved, at, source }) => resolved === undefined && (at > last || isCheck(source)))
    .map(({ text, source }) => [
      `- ${text} (from \`${cutMiddle(source, 80)}\`)`,
      `- ${text}`,
      `- ${cutMiddle(text, 120)}`,
    ]);
}

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
