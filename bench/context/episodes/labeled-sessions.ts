import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { recordSession } from "../../../packages/throughline/src/context/episodes/session-recorder.ts";
import type { Memory } from "../../../packages/throughline/src/ports/memory.ts";
import { inProcessStore } from "../../../packages/throughline/src/store/in-process.ts";
import { createThroughline } from "../../../packages/throughline/src/throughline.ts";
import { parseTranscript } from "../../../packages/throughline/src/transcript/parse-transcript.ts";
import type { TranscriptSession } from "../../../packages/throughline/src/transcript/transcript.ts";
import { isSetAside } from "../../compaction/notes/read-cases.ts";
import type { Label } from "../../compaction/notes/transcript.ts";
import { OWNER, QUIET } from "../replay-sessions.ts";

export type Outcome = "done" | "partly" | "open";

/** Labels that a person wrote for a session, and the episodes that are recorded of it. */
export interface LabeledSession {
  readonly id: string;
  readonly headline: string;
  readonly outcome: Outcome;
  /** Decisions and findings. */
  readonly labels: readonly Label[];
  /** Oldest first. */
  readonly episodes: readonly Memory[];
}

/** Reads the options of a set. Undefined without `--data`, after printing the usage. */
export function readOptions(set: string, args: readonly string[]): { data: string; all: boolean } | undefined {
  const options = { data: { type: "string" }, all: { type: "boolean", default: false } } as const;
  const { data, all } = parseArgs({ args: [...args], options }).values;
  if (data !== undefined) return { data, all };
  process.stderr.write(`Usage: npm run bench -- context ${set} --data FOLDER [--all]\n`);
  return undefined;
}

/** Records each labeled session. Without `all`, sessions that are set aside for reading are left out. */
export async function readLabeledSessions({ data, all }: { data: string; all: boolean }): Promise<LabeledSession[]> {
  const folder = path.join(data, "claude-code");
  const names = await readdir(path.join(folder, "sessions"));
  const lines = (await readFile(path.join(folder, "labels", "sessions.jsonl"), "utf8")).trim().split("\n");
  const sessions: LabeledSession[] = [];
  for (const line of lines) {
    const { session: id, headline, outcome, decisions, learned } = JSON.parse(line);
    const name = names.find((one) => one.endsWith(`${id}.jsonl`));
    if (name === undefined || (!all && isSetAside(id))) continue;
    const text = await readFile(path.join(folder, "sessions", name), "utf8");
    const main = parseTranscript(text, "claude-code").sessions.find(({ meta }) => meta.parentId === undefined);
    const episodes = main === undefined ? [] : await recordEpisodes(main);
    sessions.push({ id, headline, outcome, labels: [...decisions, ...learned], episodes });
  }
  return sessions;
}

async function recordEpisodes({ id: sessionId, meta, messages }: TranscriptSession): Promise<readonly Memory[]> {
  const store = inProcessStore();
  const throughline = await createThroughline({
    store,
    userId: OWNER,
    ...(meta.cwd !== undefined && { projectId: meta.cwd }),
  });
  const { memory } = throughline;
  const ports = { memory, documents: store.documents, userId: OWNER, projectId: meta.cwd, logger: QUIET };
  await recordSession(ports, { sessionId, folder: meta.cwd, title: meta.title, messages });
  const episodes = await memory.list({ kinds: ["episode"], all: true });
  await throughline.close();
  return episodes.toSorted((a, b) => a.validFrom - b.validFrom);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)}%`;
}
