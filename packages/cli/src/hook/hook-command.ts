import process from "node:process";
import { type Command, Option } from "commander";
import type { Throughline } from "throughline";
import type { TierShares } from "throughline/context";
import { messageOf, omitUndefined } from "throughline/internal/util";
import { counterFor } from "throughline/tokens";
import { excludedFolders } from "../config/excluded-folders.ts";
import { readSettings } from "../config/read-settings.ts";
import { resolveProjectOption } from "../config/resolve-project-option.ts";
import { type DataOptions, withStoredMemories } from "../data/open-data.ts";
import { memoriesInFile } from "../sync/agent-file.ts";
import { projectOption } from "../terminal/options.ts";
import { printableLine } from "../terminal/print-values.ts";
import { EXIT, UsageError } from "../usage-error.ts";
import { currentBranch } from "../workspace/run-git.ts";
import {
  type Agent,
  HOOK_AGENTS,
  HOOK_EVENTS,
  type HookEvent,
  KEEP_IN_SUMMARY,
  MAX_CHARACTERS,
  noteRun,
  TIMEOUTS,
  WHAT_HAPPENED,
  WHAT_TO_REMEMBER,
} from "./agent-hooks.ts";
import { type HookInput, parseHookInput, projectAtWork, readHookText } from "./hook-input.ts";

interface HookOptions extends DataOptions {
  readonly agent?: string;
  readonly budget?: string;
  readonly timeout?: string;
  /** Earlier names of `agent` and `timeout`, which installed hooks still use. */
  readonly from?: string;
  readonly limit?: string;
  readonly strict?: boolean;
  /** Set by `continueInBackground`. */
  readonly inBackground?: boolean;
}

const BUDGETS = { ledger: 2_000, memories: 1_500 };
/** Milliseconds, and requests to the model, for a session end in the background. */
const BACKGROUND_TIMEOUT = 10 * 60_000;
const MAX_MODEL_CALLS = 200;
/** Milliseconds after the timeout to finish a running write. */
const GRACE = 1_000;

export function addHookCommand(program: Command): void {
  program
    .command("hook")
    .summary("Entry point for agent hooks")
    .description("Entry point for the hooks of coding agents. `throughline init` sets them up.")
    // Validated here and not by commander, whose exit code for bad usage makes some agents stop.
    .argument("[event]", HOOK_EVENTS.join(", "))
    .option("--agent <agent>", "Calling agent: claude-code (default), codex, gemini-cli or opencode")
    .addOption(projectOption("Folder or project name (default: the repository or folder of the session)"))
    .option("-b, --budget <tokens>", "Maximum tokens to print (default 2000 for a session record, 1500 for memories)")
    .option("--timeout <seconds>", "Timeout (default 10 at session start, 20 before a compaction, 50 at session end)")
    .addOption(new Option("--from <agent>").hideHelp())
    .addOption(new Option("--limit <seconds>").hideHelp())
    .addOption(new Option("--in-background").hideHelp())
    .addOption(new Option("--strict", "Exit with 1 on errors"))
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText("after", HELP_FOOTER)
    .action((event: string | undefined, _, command: Command) => hook(event, command));
}

const HELP_FOOTER = `
Reads the agent's JSON from standard input: session_id, transcript_path, cwd,
source.
  session-start  Prints memories of the project, the resume point of the last
                 session, and what to remember; after a compaction, first the
                 record of the session.
  pre-compact    Prints the record of the session, for the summary.
  session-end    Stores the user's messages, the outcome and the steps. With
                 Codex, or if a model is configured, it does so in a background
                 process; \`throughline doctor\` counts the model's requests.
On errors it prints one line to stderr and exits with 0, so the agent continues.
List what was stored: throughline memories -p FOLDER

Example:
  echo '{"transcript_path": "session.jsonl"}' | throughline hook pre-compact`;

async function hook(event: string | undefined, command: Command): Promise<void> {
  const { strict }: HookOptions = command.opts();
  try {
    await resolveProjectOption(command);
    const options: HookOptions = command.optsWithGlobals();
    const named = HOOK_EVENTS.find((one) => one === event);
    if (named === undefined)
      throw new UsageError(`Unknown hook event: ${event ?? "(none)"}.`, `Use ${HOOK_EVENTS.join(", ")}.`);
    const limit = options.inBackground
      ? BACKGROUND_TIMEOUT
      : 1_000 * numberOr(options.timeout ?? options.limit, TIMEOUTS[named]);
    // End the process even if some work ignores the signal.
    setTimeout(() => process.exit(strict ? EXIT.failed : EXIT.done), limit + GRACE).unref();
    const output = await answer(named, options, AbortSignal.timeout(limit));
    if (output !== "") process.stdout.write(output);
  } catch (error) {
    process.stderr.write(`throughline hook: ${describe(error)}\n`);
    if (strict) process.exitCode = EXIT.failed;
  } finally {
    // The agent may keep standard input open.
    process.stdin.destroy();
  }
}

function describe(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") return "The hook timed out. Raise --timeout.";
  if (error instanceof UsageError) return printableLine(`${error.message} ${error.advice}`);
  return printableLine(messageOf(error));
}

function numberOr(text: string | undefined, otherwise: number): number {
  const value = Number(text);
  return text !== undefined && value > 0 && Number.isFinite(value) ? value : otherwise;
}

async function answer(event: HookEvent, options: HookOptions, signal: AbortSignal): Promise<string> {
  const text = await readHookText(signal);
  const input = parseHookInput(text);
  const { id, root: folder } = projectAtWork(input, process.env);
  if ([folder, input.cwd ?? folder].some(excludedFolders())) return "";
  await noteRun(`${agentOf(options)}-${event}`, options);
  const data = { ...options, folder, project: options.project ?? id, maxModelCalls: MAX_MODEL_CALLS };
  if (event === "session-end") {
    // Codex ends this hook after 3 s, and a model may need longer than any agent waits.
    const isSlow = agentOf(options) === "codex" || readSettings().model_url !== undefined;
    if (isSlow && !options.inBackground) await continueInBackground(text);
    else await (await import("./ingest-session.ts")).ingestSession(input, data, signal);
    return "";
  }
  if (event === "pre-compact") {
    return recordOf(input, KEEP_IN_SUMMARY, options, signal);
  }
  const context = await startOfSession(input, data, signal);
  return context === "" || agentOf(options) === "opencode" ? context : atStart(context);
}

/** The calling agent. An unknown one gets the format of Claude Code, as documented in the help. */
function agentOf({ agent, from }: HookOptions): Agent {
  return HOOK_AGENTS.find((one) => one === (agent ?? from)) ?? "claude-code";
}

/** Counts tokens with a margin, because the tokenizer of the reading model is not public. */
const count = (text: string): number => counterFor("claude-sonnet-4-5").count(text);
/** Maximum share of the budget for the sentence about what to remember. */
const MAX_NOTE_SHARE = 0.2;
const SEPARATOR = "\n\n";

/**
 * The text for the model when a session starts: its record after a compaction, the memories of the project, and what to
 * remember. A resumed session has the last one already.
 */
async function startOfSession(
  input: HookInput,
  data: HookOptions & { readonly folder: string },
  signal: AbortSignal,
): Promise<string> {
  const isCompacted = input.source === "compact";
  const budget = numberOr(data.budget, BUDGETS.memories + (isCompacted ? BUDGETS.ledger : 0));
  const record = isCompacted ? await recordOf(input, WHAT_HAPPENED, data, signal) : "";
  const isNoted =
    input.source !== "resume" &&
    count(WHAT_TO_REMEMBER) <= MAX_NOTE_SHARE * budget &&
    record.length + WHAT_TO_REMEMBER.length < MAX_CHARACTERS;
  const note = isNoted ? WHAT_TO_REMEMBER : "";
  const others = [record, note].filter((text) => text !== "").map((text) => text + SEPARATOR);
  const limits = {
    budget: budget - count(others.join("")),
    characters: MAX_CHARACTERS - others.join("").length,
  };
  const memories = await projectMemories(input, data, limits, signal);
  return [record, memories, note].filter((text) => text !== "").join(SEPARATOR);
}

async function recordOf(
  input: HookInput,
  introduction: string,
  options: HookOptions,
  signal: AbortSignal,
): Promise<string> {
  // Loaded here: most hooks do not need it, and should start fast.
  const { sessionLedger } = await import("./session-ledger.ts");
  return sessionLedger(input, { introduction, budget: numberOr(options.budget, BUDGETS.ledger), count }, signal);
}

/** The output format of Claude Code, Codex and Gemini CLI for text at session start. */
function atStart(additionalContext: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } });
}

/** Repeats this command in a process of its own that outlives it, so that the agent does not wait for the end. */
async function continueInBackground(input: string): Promise<void> {
  const args = [...process.execArgv, ...process.argv.slice(1), "--in-background"];
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, args, {
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.unref();
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.stdin.once("error", reject);
    child.stdin.end(input, () => resolve());
  });
}

/** Minimum factor by which each attempt gets smaller. */
const SMALLER = 1.25;
/** No index, because the reader of a hook's output cannot expand its entries. */
const WITHOUT_INDEX: TierShares = { critical: 0.25, relevant: 0.375, background: 0.375, index: 0 };

/** Limits of a text. */
interface AnswerLimits {
  /** Maximum tokens. */
  readonly budget: number;
  readonly characters: number;
}

/** Ids of memories that the agent reads in a file of the project. */
interface InFile {
  readonly inFile: ReadonlySet<string>;
}

/** The memories of a project as a block for the prompt at session start; "" if there are none. */
async function projectMemories(
  input: HookInput,
  options: HookOptions & { readonly folder: string },
  limits: AnswerLimits,
  signal: AbortSignal,
): Promise<string> {
  const branch = await currentBranch(options.folder);
  signal.throwIfAborted();
  return (
    (await withStoredMemories(options, async (data) => {
      const inFile = await memoriesInFile(data, agentOf(options), options);
      return assembleMemories(data.throughline, input, { ...limits, branch, inFile });
    })) ?? ""
  );
}

async function assembleMemories(
  { context }: Pick<Throughline, "context">,
  { sessionId, source }: HookInput,
  { branch, budget, characters, inFile }: AnswerLimits & { readonly branch: string | undefined } & InFile,
): Promise<string> {
  // A resumed session still has its own messages in the window.
  const going = source === "resume" ? sessionId : undefined;
  const isKnown = (one: { readonly sessionId?: string; readonly id?: string }) =>
    (going !== undefined && one.sessionId === going) || (one.id !== undefined && inFile.has(one.id));
  const signals = omitUndefined({ branch, sessionId });
  for (let left = budget; left >= 1; ) {
    const assembled = await context.assemble({ budget: left, signals, shares: WITHOUT_INDEX, isKnown });
    const { context: text, tokenCount } = assembled;
    if (text.length <= characters) return text;
    // If few tokens have many characters, the longest text is dropped last, and short ones stay.
    left = Math.min(Math.floor((tokenCount * characters) / text.length), Math.floor(left / SMALLER));
  }
  return "";
}
