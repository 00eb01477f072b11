import { oneLine } from "../internal/text.ts";
import type { Ledger, LedgerCommand, LedgerError, PendingCall, PendingEffect } from "./ledger.ts";
import { keepBounded, LIMITS } from "./ledger-limits.ts";
import { noteChange } from "./read/code-changes.ts";
import type { CallOutcome } from "./read/read-outcome.ts";
import { isLook } from "./read/read-shell.ts";
import { noteFiles } from "./reduce-files.ts";
import { noteAction } from "./reduce-requests.ts";
import { resolveErrors } from "./resolve-errors.ts";

/** Records the effects of a call, and its command as running. `touches` are the touches that took place. */
export function noteEffect(
  ledger: Ledger,
  call: PendingCall,
  touches = call.effect?.touches ?? [],
  isChange = call.effect?.isChange ?? false,
): Ledger {
  const { gist, effect } = call;
  if (effect === undefined) return ledger;
  const begun = effect.command === undefined ? ledger : noteCommand(ledger, call, effect);
  const next = noteChange(noteFiles(begun, touches, effect.at), effect, touches);
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
    : resolveErrors(begun, call, source);
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
