import { omitUndefined } from "../internal/json.ts";
import { oneLine } from "../internal/text.ts";
import {
  keepBounded,
  type Ledger,
  type LedgerCommand,
  type LedgerError,
  type LedgerFile,
  LIMITS,
  type PendingCall,
  type PendingEffect,
  type PendingTouch,
} from "./ledger.ts";
import { noteChange } from "./read/code-changes.ts";
import { type CallOutcome, isFailedCheck, isLocated } from "./read/read-outcome.ts";
import type { FileTouch } from "./read/read-shell.ts";
import { isLook } from "./read/read-shell.ts";
import { noteAction } from "./reduce-requests.ts";

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

/** Maximum characters of a command that succeeded after another one failed. */
const MAX_AGAIN_LENGTH = 120;
const MAX_REPAIRS = 2;
/** Commands that can resolve an error: they install, start, stop, log in, move or remove. */
const REPAIRS =
  /^(?:\w+=\S+ )*(?:sudo )?(?:(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|gem|bundle|composer|cargo|go|brew|apt|apt-get|mise|asdf|nvm) (?:-\S+ )*(?:i|ci|install|add|sync|get|update|upgrade|use|mod|services|link)\b|docker (?:compose )?(?:up|start|stop|restart|rm|pull)\b|(?:systemctl|service|kill|pkill|killall|rm|mv|cp|mkdir|touch|chmod|chown|export|source|ln)\b|git (?:checkout|switch|reset|restore|stash|pull|merge|rebase|submodule|clean|config)\b|\S+ (?:auth )?login\b)/;
/** Maximum number of words of a check of the whole project: `npm test`, `mise run build`, `go test ./...`. */
const MAX_SUITE_WORDS = 3;
/** Operands that mean the whole project. */
const WHOLE_PROJECT = /^\.(?:\/(?:\.{3})?)?$/;
/** The script or the program that runs tests. */
const TEST_RUNNER = /^(?:tests?(?:[:_-][\w:-]+)?|pytest|vitest|jest|mocha|rspec|phpunit|ctest)$/;
/** Tests that a project usually runs apart from the others. */
const SEPARATE_TESTS = /integration|e2e|end.to.end|acceptance|smoke/i;
const SUBCOMMAND = /^[a-z][a-z:-]*$/;
/** The name of a test: not a word that may be the value of a flag. */
const TEST_NAME = /^(?=.*[\p{Lu}_\d])[\p{L}\d_]{6,}$/u;
/** End of a name within a longer one: `src` in `src/a.ts`, `TestSave` in `TestSave_Empty`, `a.py` in `a.py::test_b`. */
const NAME_END = /^(?:$|[/_.]|::)/;

/**
 * Resolves the errors that cannot be there anymore after a command succeeded: by edits in between, or in another way.
 */
function resolveErrors(ledger: Ledger, call: PendingCall, source: string): readonly LedgerError[] {
  const passed = [...new Set([call.gist ?? "", ...(call.parts ?? [])])];
  return ledger.errors.map((open) => {
    if (open.resolved !== undefined) return open;
    const wasCheck = ledger.commands.some(({ text, tests }) => text === open.source && tests === true);
    const isGone = (gist: string) =>
      covers(gist, open.gist) || (wasCheck ? call.tests === true && rulesOut(gist, open) : isSameKind(gist, open.gist));
    if (!passed.some(isGone) && !isContinued(open.gist, source)) return open;
    const edited = ledger.files.filter((file) => file.at > open.at && wasChanged(file) && file.path !== open.gist);
    const names = edited.slice(-3).map(({ path }) => path.split("/").at(-1));
    const resolved =
      names.length === 0 ? otherCommand(ledger, open, source) : `worked after changes to ${names.join(", ")}`;
    return { ...open, resolved };
  });
}

/** True if the error of a check cannot be there anymore after another check passed, given by its gist. */
function rulesOut(passed: string, open: LedgerError): boolean {
  const words = passed.split(" ");
  // A check of the whole project cannot succeed while a file does not compile.
  if (isLocated(open.text)) return isWhole(words) || words.some((word) => isPlaceIn(open.text, word));
  if (words.some((word) => runsTest(word, open))) return true;
  if (!isFailedCheck(open.text) || !isWhole(words) || !TEST_RUNNER.test(words.findLast(isSpecific) ?? "")) return false;
  return !SEPARATE_TESTS.test(open.source) || SEPARATE_TESTS.test(passed);
}

/** True if a command includes another one: the same program, and no operand that leaves out one of the other. */
function covers(wide: string, narrow: string): boolean {
  const [program = "", ...operands] = wide.split(" ");
  const [other = "", ...others] = narrow.split(" ");
  // `make` does not include `make test`.
  if (program !== other || (operands.length === 0 && SUBCOMMAND.test(others[0] ?? ""))) return false;
  return operands.every((operand) => WHOLE_PROJECT.test(operand) || others.some((name) => includes(operand, name)));
}

/**
 * True if two commands have the same program and subcommand, such as two calls of `gh api`. If one fails that is not a
 * check and another one works, the work went on without the first.
 */
function isSameKind(one: string, other: string): boolean {
  const kindOf = (gist: string) => {
    const words = gist.split(" ");
    return words.slice(0, words[1] === "run" ? 3 : 2);
  };
  const kind = kindOf(one);
  return SUBCOMMAND.test(kind[1] ?? "") && kind.join(" ") === kindOf(other).join(" ");
}

/** True if a folder, a file or the name of a test includes another one. */
function includes(wide: string, narrow: string): boolean {
  const start = wide.replace(/\/(?:\.{3})?$/, "");
  return narrow.startsWith(start) && NAME_END.test(narrow.slice(start.length));
}

/** True if a check has no operand that limits it to a part of the project. */
function isWhole(words: readonly string[]): boolean {
  return words.length <= MAX_SUITE_WORDS && words.every((word) => WHOLE_PROJECT.test(word) || !word.includes("/"));
}

function isSpecific(word: string): boolean {
  return !WHOLE_PROJECT.test(word) && word !== "run";
}

/** True if the location of an error is in a file or a folder. */
function isPlaceIn(text: string, operand: string): boolean {
  const path = operand.replace(/^\.\//, "");
  return /[/.]/.test(path) && includes(path, text.trim().split(/[:(]/, 1)[0] ?? "");
}

/** True if a word of a check selects the test that failed: by its name or by the beginning of it. */
function runsTest(word: string, { text, gist }: LedgerError): boolean {
  return word
    .split("|")
    .filter((name) => TEST_NAME.test(name))
    .some((name) => `${gist} ${text}`.split(/[^\p{L}\d_]+/u).some((test) => includes(name, test)));
}

/** The resolution without an edit: a command in between, a longer form of the same command, or a retry. */
function otherCommand({ commands }: Ledger, open: LedgerError, source: string): string {
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

/** Assigns file ids to the touches of a call. Nothing is recorded yet, because the call may fail. */
export function planTouches(ledger: Ledger, touches: readonly FileTouch[]): readonly PendingTouch[] {
  const planned = ledger.pending.flatMap(({ effect }) => effect?.touches ?? []);
  const found: PendingTouch[] = [];
  let next = ledger.nextFile;
  for (const { path: given, action, to } of touches) {
    const path = normalizePath(given);
    if (path === "" || found.length === LIMITS.touches) continue;
    const known = findFile(ledger.files, path) ?? [...planned, ...found].find((touch) => touch.path === path);
    found.push(
      omitUndefined({ id: known?.id ?? next, path, action, to: to === undefined ? undefined : normalizePath(to) }),
    );
    if (known === undefined) next += 1;
  }
  return found;
}

/** Records actions on files. The file that was touched last is moved to the end. */
function noteFiles(ledger: Ledger, touches: readonly PendingTouch[], at: number): Ledger {
  let { files } = ledger;
  for (const touch of touches) {
    const known = findFile(files, touch.path);
    const before = known ?? { id: touch.id, path: touch.path, actions: {} };
    files = [...files.filter((file) => file !== known), touched(before, touch, at)];
  }
  return files === ledger.files ? ledger : { ...ledger, files: keepFiles(files, LIMITS.files) };
}

/** Finds a file by its path, also if one path is absolute and the other relative. */
export function findFile(files: readonly LedgerFile[], path: string): LedgerFile | undefined {
  const exact = files.find((file) => file.path === path);
  if (exact !== undefined || !path.includes("/")) return exact;
  return files.findLast((file) => isTailOf(file.path, path) || isTailOf(path, file.path));
}

/** True if a file was changed, not only read. */
export function wasChanged({ actions }: Pick<LedgerFile, "actions">): boolean {
  return Object.keys(actions).some((action) => action !== "read");
}

function isTailOf(whole: string, tail: string): boolean {
  return whole.startsWith("/") && !tail.startsWith("/") && tail.includes("/") && whole.endsWith(`/${tail}`);
}

function normalizePath(path: string): string {
  return oneLine(path.replace(/^\.\//, ""), LIMITS.path).replace(/:\d+(:\d+)?$/, "");
}

function touched(
  file: Pick<LedgerFile, "id" | "path" | "actions"> & { readonly to?: string },
  { path, action, to: target = file.to }: PendingTouch,
  at: number,
): LedgerFile {
  return {
    id: file.id,
    path: path.length > file.path.length ? path : file.path,
    actions: { ...file.actions, [action]: (file.actions[action] ?? 0) + 1 },
    last: action,
    at,
    ...(target === undefined ? {} : { to: target }),
  };
}

/** Reduces files to a maximum number. Files that were only read are dropped first, the oldest before others. */
export function keepFiles(files: readonly LedgerFile[], max: number): readonly LedgerFile[] {
  if (files.length <= max) return files;
  const unchanged = files.filter((file) => !wasChanged(file));
  const dropped = new Set(unchanged.slice(0, files.length - max));
  return keepBounded(
    files.filter((file) => !dropped.has(file)),
    max,
  );
}
