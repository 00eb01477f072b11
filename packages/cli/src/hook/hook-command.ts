import process from "node:process";
import { type Command, Option } from "commander";
import { takeSettings } from "../config/resolve-project-option.ts";
import type { DataOptions } from "../data/open-data.ts";
import { EXIT } from "../exit-codes.ts";
import { HOOK_EVENTS, type HookEvent, TIME_LIMITS } from "../integrations/agent-hooks.ts";
import { KEEP_IN_SUMMARY, WHAT_HAPPENED } from "../integrations/ledger-block.ts";
import { projectOption } from "../options.ts";
import { printableLine } from "../printable.ts";
import { UsageError } from "../usage-error.ts";
import { type HookInput, projectAtWork, readHookInput } from "./hook-input.ts";
import { ingestSession } from "./ingest-session.ts";
import { projectMemories } from "./project-memories.ts";
import { sessionLedger } from "./session-ledger.ts";

interface HookOptions extends DataOptions {
  readonly from?: string;
  readonly budget?: string;
  readonly limit?: string;
  readonly strict?: boolean;
}

const BUDGETS = { ledger: 2_000, memories: 1_500 };
/** What is being written when the time is over may still be finished. */
const GRACE = 1_000;

export function addHookCommand(program: Command): void {
  program
    .command("hook")
    .summary("what a coding agent calls")
    .description("what a coding agent calls by itself; `throughline init` tells it to")
    // Checked here and not by commander: to some agents, its exit code for bad usage means to stop what they do.
    .argument("[event]", HOOK_EVENTS.join(", "))
    .option("--from <agent>", "who calls: claude-code, codex, opencode", "claude-code")
    .addOption(projectOption("a folder or a name (default: the repository or folder of the session)"))
    .option("--budget <tokens>", "what it may print; 2,000 for a session's record, 1,500 for memories")
    .option("--limit <seconds>", "when it gives up; 10 at the start, 20 before a compaction, 50 at the end")
    .addOption(new Option("--strict", "fail with exit code 1 where something goes wrong"))
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText("after", AFTERWORD)
    .action((event: string | undefined, _, command: Command) => hook(event, command));
}

const AFTERWORD = `
It reads the agent's JSON on standard input: session_id, transcript_path, cwd, source.
  session-start  prints what is worth knowing of the folder and of where the last session
                 left off; behind a compaction the record of the session
  pre-compact    prints the record of the session, for the summary to keep
  session-end    remembers what the person said, what came of it and how it was done;
                 prints nothing
Whatever goes wrong, it prints nothing but a line on stderr and exits with 0: no
agent stops because of it. What was remembered: throughline memories -p FOLDER

Example:
  echo '{"transcript_path": "session.jsonl"}' | throughline hook pre-compact`;

async function hook(event: string | undefined, command: Command): Promise<void> {
  const { strict }: HookOptions = command.opts();
  try {
    takeSettings(command);
    const options: HookOptions = command.optsWithGlobals();
    const named = HOOK_EVENTS.find((one) => one === event);
    if (named === undefined) throw new UsageError(`There is no hook ${event ?? ""}.`, `Use ${HOOK_EVENTS.join(", ")}.`);
    const limit = 1_000 * numberOr(options.limit, TIME_LIMITS[named]);
    // Where something does not listen to the signal, the process ends all the same.
    setTimeout(() => process.exit(strict ? EXIT.failed : EXIT.done), limit + GRACE).unref();
    const said = await answer(named, options, AbortSignal.timeout(limit));
    if (said !== "") process.stdout.write(said);
  } catch (error) {
    process.stderr.write(`throughline hook: ${describe(error)}\n`);
    if (strict) process.exitCode = EXIT.failed;
  } finally {
    // An agent that keeps it open does not keep us.
    process.stdin.destroy();
  }
}

function describe(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") return "it took too long and was given up.";
  return printableLine(error instanceof Error ? error.message : String(error));
}

function numberOr(text: string | undefined, otherwise: number): number {
  const value = Number(text);
  return text !== undefined && value > 0 && Number.isFinite(value) ? value : otherwise;
}

async function answer(event: HookEvent, options: HookOptions, signal: AbortSignal): Promise<string> {
  const input = await readHookInput(signal);
  const { id, root: folder } = projectAtWork(input, process.env);
  const data = { ...options, folder, project: options.project ?? id };
  if (event === "session-end") {
    await ingestSession(input, data, signal);
    return "";
  }
  if (event === "pre-compact") return record(input, KEEP_IN_SUMMARY, options, signal);
  const context =
    input.source === "compact"
      ? await record(input, WHAT_HAPPENED, options, signal)
      : await projectMemories(input, data, numberOr(options.budget, BUDGETS.memories), signal);
  return context === "" || options.from === "opencode" ? context : atStart(context);
}

function record(input: HookInput, introduction: string, { budget }: HookOptions, signal: AbortSignal): Promise<string> {
  return sessionLedger(input, introduction, numberOr(budget, BUDGETS.ledger), signal);
}

/** As Claude Code and Codex take words for a session that starts. */
function atStart(additionalContext: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } });
}
