import { redactSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import { oneLine } from "../../internal/text.ts";
import { readCall } from "../../ledger/read/read-call.ts";
import { readOutcome } from "../../ledger/read/read-outcome.ts";
import { readRefusal } from "../../ledger/read/read-refusal.ts";
import type { Message } from "../../message/message.ts";
import type { ToolCallPart, ToolResultPart } from "../../message/part.ts";
import { toolOutputText } from "../../message/tool-output.ts";
import { fromRoot } from "../episodes/task.ts";
import { ASIDE, LOOK, readStep } from "./read-step.ts";
import { simpleCommands } from "./simple-commands.ts";
import type { StepRun } from "./step-run.ts";

/** Maximum number of runs per session. The newest are kept. */
const MAX_RUNS = 400;
const MAX_BETWEEN = 4;
const MAX_COMMAND_LENGTH = 200;
const MAX_NAME_LENGTH = 80;
const MAX_REASON_LENGTH = 160;
const MAX_PENDING = 60;

type Open = { -readonly [K in keyof StepRun]: StepRun[K] };

/** A tool call without a result so far, with its runs. */
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
