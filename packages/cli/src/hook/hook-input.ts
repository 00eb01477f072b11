import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";
import { isRecord, omitUndefined, stringField, tryParseJson } from "throughline/internal";
import { untilAborted } from "../interruption.ts";
import { type Project, projectOf } from "../project.ts";
import { UsageError } from "../usage-error.ts";

/** What an agent says to a hook. */
export interface HookInput {
  readonly sessionId?: string;
  /** The file that the session is written to. */
  readonly transcriptPath?: string;
  /** The session itself, where it is in no file. */
  readonly transcript?: unknown;
  readonly cwd?: string;
  /** How a session came to start: `startup`, `resume`, `clear`, `compact`. */
  readonly source?: string;
}

/** More than any session that fits a model's window many times over. */
const MAX_BYTES = 128_000_000;

/** Reads what the agent says on standard input. */
export async function readHookInput(signal: AbortSignal): Promise<HookInput> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of untilAborted<Uint8Array>(process.stdin, signal)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new UsageError("The input is too long.", "Give the path of the transcript.");
  }
  return parseHookInput(Buffer.concat(chunks).toString());
}

function parseHookInput(text: string): HookInput {
  const parsed = tryParseJson(text);
  if (!isRecord(parsed?.value)) {
    throw new UsageError("What came on standard input is no JSON object.", "It is what an agent gives to its hooks.");
  }
  const record = parsed.value;
  const read = (...names: readonly string[]) =>
    names.map((name) => stringField(record, name)).find((value) => value !== undefined && value !== "");
  const transcriptPath = read("transcript_path", "transcriptPath");
  return omitUndefined({
    sessionId: read("session_id", "sessionId"),
    transcriptPath: transcriptPath?.replace(/^~(?=[/\\])/, homedir()),
    transcript: record.transcript ?? undefined,
    cwd: read("cwd"),
    source: read("source"),
  });
}

/** What is worked on: the project of the folder that the agent was started in, wherever it has gone since. */
export function projectAtWork({ cwd }: HookInput, env: Readonly<Record<string, string | undefined>>): Project {
  return projectOf(path.resolve(env.CLAUDE_PROJECT_DIR || cwd || process.cwd()));
}
