import { oneLine } from "../internal/one-line.ts";
import { isLocated } from "./error-line.ts";
import { keepBounded } from "./keep-bounded.ts";
import type { Ledger, LedgerCommand, LedgerError, PendingCall, PendingEffect } from "./ledger.ts";
import { LIMITS } from "./ledger-limits.ts";
import { noteFiles, wasChanged } from "./note-files.ts";
import { noteAction } from "./note-requests.ts";
import type { CallOutcome } from "./read-outcome.ts";
import { isLook } from "./read-shell.ts";

/** Maximum characters of a command that succeeded after another one failed. */
const MAX_AGAIN_LENGTH = 120;
const MAX_REPAIRS = 2;
/**
 * Maximum number of words of a command that checks the whole project: `npm test`, `mise run build`, `go test ./...`.
 */
const MAX_SUITE_WORDS = 3;
/** Commands that can resolve an error: they install, start, stop, log in, move or remove. */
const REPAIRS =
  /^(?:\w+=\S+ )*(?:sudo )?(?:(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|gem|bundle|composer|cargo|go|brew|apt|apt-get|mise|asdf|nvm) (?:-\S+ )*(?:i|ci|install|add|sync|get|update|upgrade|use|mod|services|link)\b|docker (?:compose )?(?:up|start|stop|restart|rm|pull)\b|(?:systemctl|service|kill|pkill|killall|rm|mv|cp|mkdir|touch|chmod|chown|export|source|ln)\b|git (?:checkout|switch|reset|restore|stash|pull|merge|rebase|submodule|clean|config)\b|\S+ (?:auth )?login\b)/;

/** Records the effects of a call, and its command as running. `touches` are the touches that took place. */
export function noteEffect(
  ledger: Ledger,
  call: PendingCall,
  touches = call.effect?.touches ?? [],
  isChange = call.effect?.isChange ?? false,
): Ledger {
  const { gist, effect } = call;
  if (effect === undefined) return ledger;
  const next = noteFiles(effect.command === undefined ? ledger : noteCommand(ledger, call, effect), touches, effect.at);
  if (isChange || touches.some(({ action }) => action !== "read")) return noteAction(next, "changed");
  return gist !== undefined && !isLook(gist) ? noteAction(next, "ran") : next;
}

/** Records a started command. A command that ran before is moved to the end, and its runs are counted. */
function noteCommand(ledger: Ledger, { gist = "", tests }: PendingCall, { command, at }: PendingEffect): Ledger {
  const text = command ?? "";
  const known = ledger.commands.find((one) => one.text === text);
  const started: LedgerCommand = {
    text,
    gist,
    runs: (known?.runs ?? 0) + 1,
    outcome: "running",
    at,
    ...(tests === true ? { tests } : {}),
  };
  const others = ledger.commands.filter((one) => one !== known);
  return { ...ledger, commands: keepBounded([...others, started], LIMITS.commands) };
}

/** Completes calls without a result when the assistant continues: they count as done, and their commands as running. */
export function noteUnanswered(ledger: Ledger): Ledger {
  if (ledger.pending.every(({ effect }) => effect === undefined)) return ledger;
  const unanswered = ledger.pending.filter(({ refused }) => refused !== true);
  const next = unanswered.reduce((before, call) => noteEffect(before, call), ledger);
  return { ...next, pending: next.pending.map(({ effect: _, ...call }) => call) };
}

/** Records a refused call. It has no effect on its files, nor on a command that is already known. */
export function noteRefusedCall(ledger: Ledger, { gist = "", effect }: PendingCall): Ledger {
  const text = effect?.command;
  if (effect === undefined || text === undefined || ledger.commands.some((one) => one.text === text)) return ledger;
  const refused: LedgerCommand = { text, gist, runs: 0, outcome: "refused", at: effect.at };
  return { ...ledger, commands: keepBounded([...ledger.commands, refused], LIMITS.commands) };
}

/** Records the end of a call: its touches, the outcome of its command, and an error or the resolution of one. */
export function noteOutcome(ledger: Ledger, call: PendingCall, outcome: CallOutcome, at: number): Ledger {
  const begun = noteEffect(ledger, call, touchesDone(call, outcome), !outcome.failed && call.effect?.isChange === true);
  if (outcome.running || call.gist === undefined) return begun;
  const { gist } = call;
  const commands = ended(begun.commands, gist, outcome);
  const source = commands.findLast((command) => command.gist === gist)?.text ?? oneLine(gist, LIMITS.command);
  const errors = outcome.failed
    ? failed(begun.errors, { text: outcome.says, source, gist, at }, call)
    : resolve(begun, call, source);
  return { ...begun, commands, errors };
}

/** Touches of a call that took place: none if it failed as a whole. Files that did not exist were created. */
function touchesDone({ gist, effect }: PendingCall, { failed, isNew }: CallOutcome): PendingEffect["touches"] {
  if (effect === undefined || (failed && (gist === undefined || effect.isAllOrNothing === true))) return [];
  if (gist !== undefined || !isNew) return effect.touches;
  return effect.touches.map((touch) => (touch.action === "written" ? { ...touch, action: "created" } : touch));
}

function ended(commands: readonly LedgerCommand[], gist: string, outcome: CallOutcome): readonly LedgerCommand[] {
  const index = commands.findIndex((command) => command.gist === gist && command.outcome === "running");
  const running = commands[index];
  if (running === undefined) return commands;
  const { exitCode, failed, says } = outcome;
  const done: LedgerCommand = {
    ...running,
    outcome: failed ? "failed" : "ok",
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(failed && says !== "" ? { says } : {}),
  };
  return commands.with(index, done);
}

/**
 * Adds the error of a command with an effect. Read-only commands often fail to find something, and edits are retried.
 */
function failed(errors: readonly LedgerError[], error: LedgerError, call: PendingCall): readonly LedgerError[] {
  if (error.text === "" || call.gist === undefined || isLook(call.gist)) return errors;
  // A script fails at one of its checks, and its purpose is the last one. Filters after a pipe are not checks.
  const checks = call.parts?.filter((part) => !isLook(part) && !part.startsWith("exit")) ?? [];
  const gist = call.tests === true && checks.length > 1 ? (checks.at(-1) ?? error.gist) : error.gist;
  const others = errors.filter((one) => one.gist !== gist || one.resolved !== undefined);
  return keepBounded([...others, { ...error, gist }], LIMITS.errors);
}

/** The resolution without an edit: a command in between, a longer form of the same command, or a retry. */
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

/** True if a command continues or ends an interrupted operation: `git rebase --continue` after `git rebase main`. */
function isContinued(gist: string, source: string): boolean {
  const [, begun] =
    /\b(git (?:rebase|merge|cherry-pick|revert|am)) --(?:continue|abort|skip|quit)\b/.exec(source) ?? [];
  return begun !== undefined && gist.startsWith(begun);
}

/** Resolves errors of the same command after it succeeded: by edits in between, or in another way. */
function resolve(ledger: Ledger, call: PendingCall, source: string): readonly LedgerError[] {
  const gists = [call.gist ?? "", ...(call.parts ?? [])];
  // A check of the whole project cannot succeed while a file does not compile.
  const isSuite = call.tests === true && (call.gist ?? "").split(" ").length <= MAX_SUITE_WORDS;
  return ledger.errors.map((open) => {
    const isSame = gists.includes(open.gist) || isContinued(open.gist, source);
    if (open.resolved !== undefined || !(isSame || (isSuite && isLocated(open.text)))) return open;
    const edited = ledger.files.filter((file) => file.at > open.at && wasChanged(file) && file.path !== open.gist);
    const names = edited.slice(-3).map(({ path }) => path.split("/").at(-1));
    const resolved = names.length === 0 ? howElse(ledger, open, source) : `worked after changes to ${names.join(", ")}`;
    return { ...open, resolved };
  });
}
