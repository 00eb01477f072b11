import { cutMiddle } from "../internal/one-line.ts";
import type { Ledger, LedgerCommand, LedgerOutlook } from "./ledger.ts";
import { wasChanged } from "./note-files.ts";
import { isLook } from "./read-shell.ts";

const COMMIT = /\bgit (?:-\S+ \S+ )?commit\b/;
/** A script in a directory for temporary files. */
const SCRATCH = /\bcd (?:\/private)?\/tmp\b|\bmktemp\b/;
/** Maximum number of open to-dos in a note. */
const MAX_TODOS = 12;

/** State of the work: tasks in progress, next steps, and checks since the last change. */
export function stateLines(ledger: Ledger): readonly string[] {
  const { todos } = ledger;
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
  ];
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

/** Commands with their last outcome, in forms from long to short. Commands with effects come before read-only ones. */
export function commandForms(commands: readonly LedgerCommand[]): readonly (readonly string[])[] {
  const newest = commands.toReversed();
  const last = newest.filter(
    (command, index) => !isLook(command.gist) && newest.findIndex((other) => isSameAttempt(other, command)) === index,
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
