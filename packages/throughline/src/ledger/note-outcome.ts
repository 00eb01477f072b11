import { oneLine } from "../internal/one-line.ts";
import { keepBounded } from "./keep-bounded.ts";
import type { Ledger, LedgerCommand, LedgerError, PendingCall } from "./ledger.ts";
import { LIMITS } from "./ledger-limits.ts";
import { settleFile, wasChanged } from "./note-files.ts";
import { type CallOutcome, REFUSED } from "./read-outcome.ts";
import { isLook, type ShellFacts } from "./read-shell.ts";

/** Of a command that went well in place of one that failed. */
const MAX_AGAIN_LENGTH = 120;
const MAX_REPAIRS = 2;
/** Commands that put something right: they install, start, stop, log in, move or take away. */
const REPAIRS =
  /^(?:\w+=\S+ )*(?:sudo )?(?:(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|gem|bundle|composer|cargo|go|brew|apt|apt-get|mise|asdf|nvm) (?:-\S+ )*(?:i|ci|install|add|sync|get|update|upgrade|use|mod|services|link)\b|docker (?:compose )?(?:up|start|stop|restart|rm|pull)\b|(?:systemctl|service|kill|pkill|killall|rm|mv|cp|mkdir|touch|chmod|chown|export|source|ln)\b|git (?:checkout|switch|reset|restore|stash|pull|merge|rebase|submodule|clean|config)\b|\S+ (?:auth )?login\b)/;

/** Takes down a command that starts. One that ran before moves to the end and counts on. */
export function noteCommand(ledger: Ledger, shell: ShellFacts, at: number): Ledger {
  const text = oneLine(shell.text, LIMITS.command);
  if (text === "") return ledger;
  const known = ledger.commands.find((command) => command.text === text);
  const command: LedgerCommand = {
    text,
    gist: shell.gist,
    runs: (known?.runs ?? 0) + 1,
    outcome: "running",
    at,
    ...(shell.tests ? { tests: true } : {}),
  };
  const others = ledger.commands.filter((one) => one !== known);
  return { ...ledger, commands: keepBounded([...others, command], LIMITS.commands) };
}

/** Takes down how a call ended: the outcome of its command, an error, or what resolved one. */
export function noteOutcome(ledger: Ledger, call: PendingCall, outcome: CallOutcome, at: number): Ledger {
  if (outcome.running) return ledger;
  const file = ledger.files.find(({ id }) => id === call.file);
  const gist = call.gist ?? file?.path;
  if (gist === undefined) return ledger;
  const settled =
    call.gist === undefined && file !== undefined ? settleFile(ledger, file.id, outcome.failed, outcome.isNew) : ledger;
  const commands = call.gist === undefined ? ledger.commands : ended(ledger.commands, call.gist, outcome);
  const source = commands.findLast((command) => command.gist === call.gist)?.text ?? oneLine(gist, LIMITS.command);
  const errors = outcome.failed
    ? failed(ledger.errors, { text: outcome.says, source, gist, at }, call)
    : resolve(ledger, [gist, ...(call.parts ?? [])], source);
  return { ...settled, commands, errors };
}

function ended(commands: readonly LedgerCommand[], gist: string, outcome: CallOutcome): readonly LedgerCommand[] {
  const index = commands.findIndex((command) => command.gist === gist && command.outcome === "running");
  const running = commands[index];
  if (running === undefined) return commands;
  const { exitCode, failed, says } = outcome;
  const done: LedgerCommand = {
    ...running,
    outcome: says === REFUSED ? "refused" : failed ? "failed" : "ok",
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(failed && says !== "" && says !== REFUSED ? { says } : {}),
  };
  return commands.with(index, done);
}

/** Adds an error of a command that does something. What only looks often fails to find, and edits are tried again. */
function failed(errors: readonly LedgerError[], error: LedgerError, call: PendingCall): readonly LedgerError[] {
  if (error.text === "" || error.text === REFUSED || call.gist === undefined || isLook(call.gist)) return errors;
  // A script fails at one of its checks; the last one is what it was run for.
  const gist = call.tests === true ? (call.parts?.at(-1) ?? error.gist) : error.gist;
  const others = errors.filter((one) => one.gist !== gist || one.resolved !== undefined);
  return keepBounded([...others, { ...error, gist }], LIMITS.errors);
}

/** Without an edit, what was run in between helped, or that more was said in the command itself. */
function howElse({ commands }: Ledger, open: LedgerError, source: string): string {
  const ran = commands
    .filter(
      ({ at, outcome, text, gist }) => at > open.at && outcome === "ok" && gist !== open.gist && REPAIRS.test(text),
    )
    .slice(-MAX_REPAIRS)
    .map(({ text }) => oneLine(text, MAX_AGAIN_LENGTH));
  if (ran.length > 0) return `worked after ${ran.join(" and ")}`;
  const isMore = source !== open.source && source.includes(open.source);
  return isMore ? `worked as ${oneLine(source, MAX_AGAIN_LENGTH)}` : "worked when tried again";
}

/** The same went well: whatever was edited in between is what helped, or that it was done in another way. */
function resolve(ledger: Ledger, gists: readonly string[], source: string): readonly LedgerError[] {
  return ledger.errors.map((open) => {
    if (open.resolved !== undefined || !gists.includes(open.gist)) return open;
    const edited = ledger.files.filter((file) => file.at > open.at && wasChanged(file) && file.path !== open.gist);
    const names = edited.slice(-3).map(({ path }) => path.split("/").at(-1));
    const resolved = names.length === 0 ? howElse(ledger, open, source) : `worked after changes to ${names.join(", ")}`;
    return { ...open, resolved };
  });
}
