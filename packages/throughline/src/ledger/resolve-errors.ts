import { oneLine } from "../internal/text.ts";
import type { Ledger, LedgerError, PendingCall } from "./ledger.ts";
import { isFailedCheck, isLocated } from "./read/read-outcome.ts";
import { wasChanged } from "./reduce-files.ts";

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
export function resolveErrors(ledger: Ledger, call: PendingCall, source: string): readonly LedgerError[] {
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
