import { redactSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import { oneLine } from "../../internal/text.ts";
import { readCall } from "../../ledger/read/read-call.ts";
import { readOutcome } from "../../ledger/read/read-outcome.ts";
import { readRefusal } from "../../ledger/read/read-refusal.ts";
import { splitShell } from "../../ledger/read/read-shell.ts";
import type { Message } from "../../message/message.ts";
import type { ToolCallPart, ToolResultPart } from "../../message/part.ts";
import { toolOutputText } from "../../message/tool-output.ts";
import { fromRoot } from "../episodes/task.ts";
import { ASIDE, LOOK, readStep } from "./read-step.ts";

/** Maximum number of runs per session. The newest are kept. */
const MAX_RUNS = 400;
const MAX_BETWEEN = 4;
const MAX_COMMAND_LENGTH = 200;
const MAX_NAME_LENGTH = 80;
const MAX_REASON_LENGTH = 160;
const MAX_PENDING = 60;

type Open = { -readonly [K in keyof StepRun]: StepRun[K] };

interface Pending {
  readonly runs: readonly Open[];
  readonly tests: boolean;
}

/**
 * Records the steps of a session with their outcomes. Commands without effects are not steps. Expects messages without
 * secrets.
 */
export class RunRecorder {
  readonly #folder: string | undefined;
  readonly #runs: Open[] = [];
  readonly #pending = new Map<string, Pending>();
  #edited: string[] = [];
  #aside: string[] = [];

  /** @param folder Working folder of the session. Paths below it are recorded relative to it. */
  constructor(folder?: string) {
    this.#folder = folder;
  }

  add(message: Message): void {
    if (message.role === "system" || message.isSummary === true) return;
    for (const part of message.parts) {
      if (part.type === "tool-call") this.#call(part);
      else if (part.type === "tool-result") this.#result(part);
    }
  }

  get runs(): readonly StepRun[] {
    return this.#runs.slice(-MAX_RUNS);
  }

  #call(part: ToolCallPart): void {
    const { shell, touches } = readCall(part);
    for (const { path, action } of touches) {
      // The command itself shows which files it deletes or renames.
      const isChange = shell === undefined ? action !== "read" : !/^(?:read|deleted|renamed)$/.test(action);
      if (isChange) this.#note(this.#edited, path.split(/[/\\]/).at(-1) ?? path, MAX_NAME_LENGTH);
    }
    if (shell === undefined) return;
    const runs = simpleCommands(shell.text).flatMap(({ words, launcher }) => this.#command(words, launcher));
    if (runs.length === 0) return;
    if (this.#pending.size >= MAX_PENDING) this.#pending.delete([...this.#pending.keys()][0] ?? "");
    this.#pending.set(part.toolCallId, { runs, tests: shell.tests || runs.some(({ step }) => step === "test") });
  }

  #command(words: readonly string[], launcher: readonly string[]): readonly Open[] {
    const step = readStep(words);
    if (step === LOOK) return [];
    const command = oneLine(
      hideArguments([...launcher, ...words.map((word, at) => this.#fromRoot(word, at === 0))])
        .map(quoted)
        .join(" "),
      MAX_COMMAND_LENGTH,
    );
    if (step === ASIDE) {
      this.#note(this.#aside, command, MAX_COMMAND_LENGTH);
      return [];
    }
    const run: Open = omitUndefined({
      step,
      command,
      outcome: "unsure",
      edited: this.#edited.length > 0 ? this.#edited : undefined,
      aside: this.#aside.length > 0 ? this.#aside : undefined,
    });
    this.#edited = [];
    this.#aside = [];
    this.#runs.push(run);
    if (this.#runs.length > 2 * MAX_RUNS) this.#runs.splice(0, MAX_RUNS);
    return [run];
  }

  /** A word of a command with a path relative to the folder: `/home/ada/app/bin/tool` is `./bin/tool`. */
  #fromRoot(word: string, isProgram: boolean): string {
    const [, flag = "", path = word] = /^(--?[\w-]+=)(.+)$/.exec(word) ?? [];
    const own = fromRoot(path, this.#folder);
    return own.length === path.length ? word : `${flag}${isProgram ? "./" : ""}${own}`;
  }

  #note(list: string[], text: string, longest: number): void {
    const line = oneLine(text, longest);
    const known = list.indexOf(line);
    if (known >= 0) list.splice(known, 1);
    list.push(line);
    if (list.length > MAX_BETWEEN) list.shift();
  }

  #result(part: ToolResultPart): void {
    const pending = this.#pending.get(part.toolCallId);
    if (pending === undefined) return;
    this.#pending.delete(part.toolCallId);
    if (readRefusal(part) !== undefined) return;
    const { failed, running, says } = readOutcome(part, toolOutputText(part.output), { tests: pending.tests });
    if (running) return;
    for (const run of pending.runs) {
      if (!failed) run.outcome = "ok";
      else if (pending.runs.length === 1) {
        run.outcome = "failed";
        const reason = oneLine(says, MAX_REASON_LENGTH);
        if (reason !== "") run.says = reason;
      }
    }
  }
}

function quoted(word: string): string {
  // The content of `$(…)` is a separate command.
  if (/\$\(|\)$/.test(word)) return word;
  return /[\s"'`$&|;<>()]/.test(word) && !/^\$\{?\w+\}?$/.test(word) ? `"${word.replaceAll('"', "'")}"` : word;
}

const SECRET_FLAG =
  /^--?(?:[\w-]*-)?(?:password|passwd|pass|token|secret|api-?key|access-?key|auth|credentials?|bearer)$/i;
const SECRET_ASSIGNED = /^(--?(?:[\w-]*-)?(?:password|passwd|pass|token|secret|api-?key|access-?key)=)(?!\$).+/i;
const USER_FLAG = /^(?:-u|--user)$/;
const BLANK = "****";

/** Redacts secrets in the words of a command: by their format, and as values of flags for secrets. */
function hideArguments(words: readonly string[]): readonly string[] {
  return words.map((word, at) => {
    const before = words[at - 1] ?? "";
    const isGiven = !word.startsWith("-") && !word.startsWith("$");
    if (isGiven && (SECRET_FLAG.test(before) || (USER_FLAG.test(before) && word.includes(":")))) return BLANK;
    return redactSecrets(word.replace(SECRET_ASSIGNED, `$1${BLANK}`));
  });
}

export interface StepRun {
  /** Name of the step: `test`, `build`, `commit`. */
  readonly step: string;
  /** The command on one line, with secrets redacted. */
  readonly command: string;
  /** `unsure` if it ran together with others and one of them failed, or if there is no result. */
  readonly outcome: "ok" | "failed" | "unsure";
  /** Most informative line of its error output. */
  readonly says?: string;
  /** Names of files that were changed since the previous run. */
  readonly edited?: readonly string[];
  /** Commands with effects since the previous run that are not steps. */
  readonly aside?: readonly string[];
}

export interface SessionRuns {
  readonly sessionId: string;
  /** Start of the session, in milliseconds since 1970. 0 if unknown. */
  readonly at: number;
  readonly runs: readonly StepRun[];
}

/** Shell keywords, and words that run the command after them. */
const SKIPPED_WORDS = /^(?:do|then|else|elif|if|while|until|!|\{|\(|time|nohup|command|exec|builtin|sudo|env)$/;
/** Programs that run the command after them and belong to it. */
const LAUNCHERS = /^(?:npx|bunx|pnpx)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** Two or three words that run the command after them: `pnpm exec`, `uv run`, `python -m`. */
const RUNS_ANOTHER =
  /^(?:(?:pnpm|yarn|npm|mise|bundle|composer) (?:exec|dlx|x)|bun x|(?:uv|poetry|pipenv|rye|hatch|pdm) run|python[\d.]* -m|dotenv|cross-env|xvfb-run|doppler run|op run)(?: --)? /;
/** Start of a subshell or of a command substitution in an assignment. */
const OPENING = /^(?:[A-Za-z_]\w*=)?["']?[$]?\(+(?=\w)/;
const SHELLS = /^(?:ba|z|da)?sh$/;
const NESTED = 2;
const MAX_COMMANDS = 40;
const MAX_WRAPS = 20;

interface SimpleCommand {
  /** Its words without prefixes such as `sudo` and `npx`. */
  readonly words: readonly string[];
  /** The program that runs it, such as `npx` or `uv run`. Empty if there is none. */
  readonly launcher: readonly string[];
}

const NOTHING: SimpleCommand = { words: [], launcher: [] };

/** Simple commands of a script. This is not a full shell parser: unknown syntax is skipped. */
export function simpleCommands(script: string, depth = 0): readonly SimpleCommand[] {
  return splitShell(script)
    .commands.slice(0, MAX_COMMANDS)
    .flatMap(({ words }) => {
      const bare = unwrap(words);
      const [program = "", flag = "", inner = ""] = bare.words;
      const isShell = SHELLS.test(program) && /^-\w*c$/.test(flag) && depth < NESTED;
      return isShell ? simpleCommands(inner, depth + 1) : bare.words.length === 0 ? [] : [bare];
    });
}

function unwrap(words: readonly string[]): SimpleCommand {
  let bare = words.filter((word) => word !== "\\" && word !== "");
  const launcher: string[] = [];
  for (let wraps = 0; wraps < MAX_WRAPS; wraps += 1) {
    const [first = "", ...rest] = bare;
    const word = first.replace(OPENING, "");
    if (word === "" || word.startsWith("#")) return NOTHING;
    const skipped = wordsSkipped(word);
    const launched = skipped > 0 ? 0 : LAUNCHERS.test(word) ? 1 : wordsBefore([word, ...rest]);
    if (skipped + launched === 0) return { words: withoutBracket([word, ...rest]), launcher };
    // Flags of a skipped word, such as `npx --yes`.
    const next = bare.findIndex((one, at) => at >= skipped + launched && !one.startsWith("-"));
    if (launched > 0) launcher.push(word, ...bare.slice(1, Math.max(0, next)));
    bare = next < 0 ? [] : bare.slice(next);
  }
  return NOTHING;
}

/** Number of leading words that do not belong to the command after them. */
function wordsSkipped(word: string): number {
  if (word === "timeout") return 2;
  return SKIPPED_WORDS.test(word) || ASSIGNMENT.test(word) ? 1 : 0;
}

/** Number of leading words that run the command after them. */
function wordsBefore(words: readonly string[]): number {
  const found = RUNS_ANOTHER.exec(`${words.slice(0, 4).join(" ")} `)?.[0];
  const count = found === undefined ? 0 : found.trim().split(" ").length;
  return count < words.length ? count : 0;
}

/** Removes the closing bracket of a subshell from the last word. */
function withoutBracket(words: readonly string[]): readonly string[] {
  const last = words.at(-1);
  if (last === undefined || !last.endsWith(")") || words.some((word) => word.includes("("))) return words;
  const bare = last.replace(/(?<!\))\)+$/, "");
  return bare === "" ? words.slice(0, -1) : [...words.slice(0, -1), bare];
}
