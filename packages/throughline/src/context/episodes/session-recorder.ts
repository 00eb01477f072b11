import { findSecrets, redactSecrets } from "../../internal/find-secrets.ts";
import { isRecord, omitUndefined, sameJson } from "../../internal/json.ts";
import { readCall } from "../../ledger/read/read-call.ts";
import { stableId } from "../../memory/ids.ts";
import type { RememberInput } from "../../memory/memory-api.ts";
import { buildLevelsWithModel } from "../../memory/text-levels/build-levels-with-model.ts";
import type { Message } from "../../message/message.ts";
import type { Part, ToolResultPart } from "../../message/part.ts";
import { isErrorOutput, toolOutputText } from "../../message/tool-output.ts";
import { projectPath } from "../predict/read-signal.ts";
import { RunRecorder } from "../workflows/run-recorder.ts";
import { describeEpisode } from "./describe-episode.ts";
import { emptyCounts, type OutcomeCounts, upsertLearned } from "./learned-entries.ts";
import { type RecordPorts, readRecord, type SessionRecord, writeRecord } from "./session-record.ts";
import { SessionStory } from "./session-story.ts";
import { fromRoot, type Task } from "./task.ts";

/** Properties of a session that its messages do not contain. */
interface SessionFacts {
  readonly sessionId: string;
  /** Working folder. Paths are made relative to it. */
  readonly folder?: string | undefined;
  readonly title?: string | undefined;
}

interface RecordedSession {
  readonly episodes: OutcomeCounts;
  /** Number of recorded steps. */
  readonly runs: number;
  /** Number of file uses that were passed to the predictor. */
  readonly touches: number;
}

interface Touch {
  readonly path: string;
  readonly at: number;
}

const MAX_TOUCHES = 2_000;

/**
 * Reads a session message by message and records an episode per task, the steps, and the used files. A second write
 * after new messages updates the same episodes.
 *
 * @example
 * const recorder = new SessionRecorder({ sessionId: "s1", folder: "/home/ada/app" });
 * for (const message of messages) recorder.add(message);
 * await recorder.write(ports);
 */
export class SessionRecorder {
  readonly #facts: SessionFacts;
  readonly #outline = new SessionStory();
  readonly #runs: RunRecorder;
  readonly #touches: Touch[] = [];
  #startedAt = 0;
  #last = "";

  constructor(facts: SessionFacts) {
    this.#facts = facts;
    this.#runs = new RunRecorder(facts.folder);
  }

  add(message: Message): void {
    if (this.#startedAt === 0) this.#startedAt = message.createdAt;
    this.#last = message.id;
    const safe = withoutSecrets(message);
    this.#outline.add(safe);
    this.#runs.add(safe);
    for (const part of safe.parts) {
      if (part.type !== "tool-call") continue;
      for (const { path } of readCall(part).touches) this.#touch(path, message.createdAt);
    }
  }

  /** Saves episodes and record. Unchanged ones are not written again. */
  async write(ports: RecordPorts, { signal }: { readonly signal?: AbortSignal } = {}): Promise<RecordedSession> {
    const { sessionId } = this.#facts;
    const known = await readRecord(ports, { sessionId, at: this.#startedAt });
    const tasks = this.#outline.tasks;
    const episodes = emptyCounts();
    const digests: Record<string, string> = { ...known?.episodes };
    for (const task of tasks) {
      signal?.throwIfAborted();
      const input = this.#episode(task, ports, tasks.length === 1);
      const learned = await upsertLearned(ports.memory, input, digests[input.id], (same) =>
        inModelsWords(ports, same, signal),
      );
      episodes[learned.outcome] += 1;
      digests[input.id] = learned.digest;
    }
    const observed = known?.told ?? 0;
    const record: SessionRecord = {
      version: 1,
      sessionId,
      at: this.#startedAt,
      messages: this.#outline.messages,
      last: this.#last,
      runs: this.#runs.runs,
      episodes: digests,
      touches: this.#touches.length,
      told: ports.observe === undefined ? observed : this.#touches.length,
    };
    // Written first, so that a crash during the calls of the predictor does not repeat them.
    if (!sameJson(record, known)) await writeRecord(ports, record);
    return { episodes, runs: record.runs.length, touches: await this.#observe(ports, observed) };
  }

  /** One line per episode, for a preview without saving. */
  get episodes(): readonly string[] {
    const tasks = this.#outline.tasks;
    return tasks.map((task) => describeEpisode(task, this.#options(tasks.length === 1)).levels.compressed);
  }

  /** True if the session has no tasks and no steps so far. */
  get isEmpty(): boolean {
    return this.#outline.tasks.length === 0 && this.#runs.runs.length === 0;
  }

  /** Steps of the session, for mining without saving. */
  get record(): Pick<SessionRecord, "sessionId" | "at" | "runs"> {
    return { sessionId: this.#facts.sessionId, at: this.#startedAt, runs: this.#runs.runs };
  }

  #episode(task: Task, { projectId = "" }: RecordPorts, isOnly: boolean): RememberInput & { readonly id: string } {
    const { title, levels, artifacts } = describeEpisode(task, this.#options(isOnly));
    const { full, ...shorter } = levels;
    return {
      id: stableId(["episode", projectId, task.sessionId, task.id], task.startedAt),
      kind: "episode",
      text: full,
      title,
      levels: shorter,
      artifacts: artifacts.filter(({ ref }) => findSecrets(ref).length === 0),
      source: omitUndefined({
        sessionId: this.#facts.sessionId,
        messageId: task.id,
        at: task.endedAt > 0 ? task.endedAt : undefined,
      }),
      ...(task.startedAt > 0 && { validFrom: task.startedAt }),
    };
  }

  #options(isOnly: boolean): { readonly title?: string; readonly folder?: string } {
    const { title, folder } = this.#facts;
    return omitUndefined({ title: isOnly && title !== undefined ? redactSecrets(title) : undefined, folder });
  }

  #touch(path: string, at: number): void {
    const { folder } = this.#facts;
    const own = projectPath(fromRoot(path, folder));
    if (own === undefined || this.#touches.length >= MAX_TOUCHES) return;
    if (this.#touches.at(-1)?.path !== own) this.#touches.push({ path: own, at });
  }

  /** Passes new file uses to the predictor. */
  async #observe({ observe }: RecordPorts, observed: number): Promise<number> {
    if (observe === undefined) return 0;
    const fresh = this.#touches.slice(observed);
    for (const { path, at } of fresh) {
      await observe({ fileOpened: path, sessionId: this.#facts.sessionId, ...(at > 0 && { at }) });
    }
    return fresh.length;
  }
}

async function inModelsWords(
  { model, logger }: RecordPorts,
  input: RememberInput,
  signal: AbortSignal | undefined,
): Promise<RememberInput> {
  if (model === undefined) return input;
  const { text, title } = input;
  const { levels, by, failure } = await buildLevelsWithModel(
    omitUndefined({ kind: "episode" as const, text, title }),
    model,
    omitUndefined({ signal }),
  );
  if (by === "rules") {
    logger.info(`Episode: no model summary (${failure ?? "the model returned none"}), using the extractive one.`);
    return input;
  }
  const { full: _, ...shorter } = levels;
  return { ...input, levels: shorter };
}

/** A session with all of its messages so far. */
interface SessionToRecord extends SessionFacts {
  readonly messages: Iterable<Message> | AsyncIterable<Message>;
}

/**
 * Saves one episode per task of an ended session, with the request, changes, failures and fixes at four levels. A
 * second call for a session with new messages updates the same episodes.
 */
export async function recordSession(
  ports: RecordPorts,
  { messages, ...facts }: SessionToRecord,
  options: { readonly signal?: AbortSignal } = {},
): Promise<RecordedSession> {
  const recorder = new SessionRecorder(facts);
  for await (const message of messages) {
    options.signal?.throwIfAborted();
    recorder.add(message);
  }
  return recorder.write(ports, options);
}

/** Characters at each end of a tool output that are read. The outcome is usually there. */
const END = 6_000;
/** Longer arguments are file contents and are dropped, unless they are commands. */
const MAX_ARGUMENT_LENGTH = 400;
const COMMAND = /^(?:command|cmd|script|shell_?command|input|action)$/i;
const MAX_DEPTH = 6;

/**
 * Prepares a message for learning: redacts secrets and shortens tool outputs. Redaction comes first, because half of a
 * secret is not recognized.
 */
export function withoutSecrets(message: Message): Message {
  return { ...message, parts: message.parts.map(safePart) };
}

function safePart(part: Part): Part {
  switch (part.type) {
    case "text":
      return { ...part, text: redactSecrets(part.text) };
    case "tool-call":
      return { ...part, input: safeInput(part.input) };
    case "tool-result":
      return safeResult(part);
    default:
      return part;
  }
}

function safeInput(value: unknown, isCommand = true, depth = 0): unknown {
  if (typeof value === "string") return isCommand || value.length <= MAX_ARGUMENT_LENGTH ? redactSecrets(value) : value;
  if (depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => safeInput(one, isCommand, depth + 1));
  if (!isRecord(value)) return value;
  const safe = (name: string, one: unknown) => safeInput(one, COMMAND.test(name), depth + 1);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, safe(name, one)]));
}

function safeResult(part: ToolResultPart): ToolResultPart {
  if (part.output.type === "execution-denied") return part;
  const text = toolOutputText(part.output);
  // Redacted with a margin, so that a secret at the cut is recognized.
  const ends = text.length > 4 * END ? `${text.slice(0, 2 * END)}\n${text.slice(-2 * END)}` : text;
  const value = redactSecrets(ends);
  const kept = value.length > 2 * END ? `${value.slice(0, END)}\n${value.slice(-END)}` : value;
  return { ...part, output: { type: isErrorOutput(part.output) ? "error-text" : "text", value: kept } };
}
