import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";
import { isRecord, omitUndefined, stringField, tryParseJson } from "throughline/internal/util";
import { type Project, projectOf } from "../config/project.ts";
import { untilAborted } from "../terminal/interruption.ts";
import { UsageError } from "../usage-error.ts";

/** The JSON that an agent sends to a hook. */
export interface HookInput {
  readonly sessionId?: string;
  /** Path of the transcript. */
  readonly transcriptPath?: string;
  /** The session itself, if it is not in a file. */
  readonly transcript?: unknown;
  readonly cwd?: string;
  /** Reason of a session start: `startup`, `resume`, `clear`, `compact`. */
  readonly source?: string;
}

/** Larger than any session that fits a context window. */
const MAX_BYTES = 128_000_000;

/** Reads the agent's JSON from standard input, as text. */
export async function readHookText(signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of untilAborted<Uint8Array>(process.stdin, signal)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES)
      throw new UsageError(
        "The hook input on standard input is larger than 128 MB.",
        "Send transcript_path instead of the transcript itself.",
      );
  }
  return Buffer.concat(chunks).toString();
}

export function parseHookInput(text: string): HookInput {
  const parsed = tryParseJson(text);
  if (!isRecord(parsed?.value)) {
    throw new UsageError(
      "The hook input on standard input is not a JSON object.",
      "Hooks are called by coding agents; see `throughline hook --help`.",
    );
  }
  const record = parsed.value;
  const read = (...names: readonly string[]) =>
    names.map((name) => stringField(record, name)).find((value) => value !== undefined && value !== "");
  const transcriptPath = read("transcript_path", "transcriptPath");
  return omitUndefined({
    sessionId: read("session_id", "sessionId"),
    transcriptPath: transcriptPath?.replace(/^~(?=[/\\])/, () => homedir()),
    transcript: record.transcript ?? undefined,
    cwd: read("cwd"),
    source: read("source"),
  });
}

/** The project of the folder in which the agent was started, not of its current one. */
export function projectAtWork({ cwd }: HookInput, env: Readonly<Record<string, string | undefined>>): Project {
  return projectOf(path.resolve(env.CLAUDE_PROJECT_DIR || cwd || process.cwd()));
}
