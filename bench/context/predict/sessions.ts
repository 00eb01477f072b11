import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { folderOf } from "../../../packages/throughline/src/context/file-paths.ts";
import { findMentions } from "../../../packages/throughline/src/context/predict/find-mentions.ts";
import type { PredictionInput } from "../../../packages/throughline/src/context/predict/gather-candidates.ts";
import { branchSignal, branchWords } from "../../../packages/throughline/src/context/predict/read-signal.ts";
import { UseIndex } from "../../../packages/throughline/src/context/predict/use-index.ts";

interface Access {
  /** Zero-based transcript line of the call. */
  readonly line: number;
  readonly ts: string;
  readonly path: string;
}

interface AccessedSession {
  readonly session: string;
  readonly branch?: string;
  readonly events: readonly Access[];
}

/** A file that a session touches for the first time, and the state right before. */
export interface NextFile {
  readonly index: UseIndex;
  readonly situation: PredictionInput;
  readonly session: number;
  readonly target: string;
  /** All files that the session touches from here on. */
  readonly later: ReadonlySet<string>;
  /** True if no earlier session had it. */
  readonly isNew: boolean;
}

export interface SessionLog {
  readonly sessions: readonly AccessedSession[];
  /** Text of each session, line by line, if its transcript is available. */
  readonly shown: readonly (readonly string[] | undefined)[];
}

/** Reads `file-access.jsonl` of a folder, and the transcripts in `sessions` next to it. */
export async function readSessions(folder: string): Promise<SessionLog> {
  const text = await readFile(path.join(folder, "file-access.jsonl"), "utf8");
  const sessions = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as AccessedSession);
  const shown = await Promise.all(
    sessions.map(({ session }) => readShown(path.join(folder, "sessions", `${session}.jsonl`))),
  );
  return { sessions, shown };
}

/**
 * Yields every file that a session touches for the first time, except its first, in chronological order over all
 * sessions, so that later sessions are unknown. With `seen`, includes the transcript up to the line before, and only
 * sessions with a transcript. The index keeps learning, so each item must be used before the next one is requested.
 */
export function* nextFiles({ sessions, shown }: SessionLog, { seen }: { readonly seen: boolean }): Generator<NextFile> {
  const index = new UseIndex();
  const running = new Map<number, { readonly basket: number; files: string[] }>();
  const events = sessions
    .flatMap(({ events: own }, session) => own.map((event) => ({ ...event, session, at: Date.parse(event.ts) })))
    .sort((a, b) => a.at - b.at || a.session - b.session || a.line - b.line);
  for (const { session, path: target, line, at } of events) {
    const { branch, events: own = [] } = sessions[session] ?? {};
    const known = running.get(session);
    const transcript = shown[session];
    if (known !== undefined && !known.files.includes(target) && (!seen || transcript !== undefined)) {
      const text = seen ? transcript?.slice(0, line).join("\n") : undefined;
      const situation = situationOf(index, known, branch, text);
      const later = new Set(own.filter((event) => Date.parse(event.ts) >= at).map((event) => event.path));
      yield { index, situation, session, target, later, isNew: index.idOf(target) === undefined };
    }
    const started = known ?? { basket: index.add([], { isOrdered: true }), files: [] };
    running.set(session, started);
    index.touch(started.basket, target);
    if (branch !== undefined) for (const signal of branchSignal(branch)) index.mark(started.basket, signal);
    started.files = [...started.files.filter((file) => file !== target), target];
  }
}

function situationOf(
  index: UseIndex,
  { basket, files }: { readonly basket: number; readonly files: readonly string[] },
  branch = "",
  seen?: string,
): PredictionInput {
  const anchors = files.toReversed();
  const near = [...new Set(anchors.map(folderOf))];
  return {
    anchors,
    inSession: true,
    signals: branchSignal(branch),
    words: branchWords(branch),
    mentions: seen === undefined ? new Map() : findMentions(seen, index, near),
    imports: new Set(),
    ownBasket: basket,
  };
}

async function readShown(file: string): Promise<readonly string[] | undefined> {
  if (!existsSync(file)) return undefined;
  return (await readFile(file, "utf8")).split("\n").map(textOfLine);
}

/** The visible text of one transcript line. */
function textOfLine(line: string): string {
  try {
    const { message } = JSON.parse(line) as { message?: { content?: unknown } };
    return [...textsOf(message?.content)].join("\n");
  } catch {
    return "";
  }
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const one of value) yield* textsOf(one);
  else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      if (name !== "signature" && name !== "id" && name !== "data") yield* textsOf(one);
    }
  }
}
