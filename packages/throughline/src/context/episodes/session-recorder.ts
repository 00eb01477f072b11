import { findSecrets, redactSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined, sameJson } from "../../internal/json.ts";
import { readCall } from "../../ledger/read-call.ts";
import { buildLevelsWithModel } from "../../memory/levels/build-levels-with-model.ts";
import type { RememberInput } from "../../memory/service/memory-api.ts";
import { stableId } from "../../memory/service/stable-id.ts";
import type { Message } from "../../message/message.ts";
import { RunRecorder } from "../workflows/run-recorder.ts";
import type { RecordPorts } from "./record-ports.ts";
import { readRecord, type SessionRecord, writeRecord } from "./session-record.ts";
import { SessionStory } from "./session-story.ts";
import type { Task } from "./task.ts";
import { fromRoot } from "./task-files.ts";
import { tellEpisode } from "./tell-episode.ts";
import { emptyCounts, type OutcomeCounts, upsertLearned } from "./upsert-learned.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** A session, as far as its messages do not say it. */
export interface SessionFacts {
  readonly sessionId: string;
  /** The folder that is worked in: files are told from there. */
  readonly folder?: string | undefined;
  readonly title?: string | undefined;
}

/** What came of a session. */
export interface RecordedSession {
  readonly episodes: OutcomeCounts;
  /** Steps that were done. */
  readonly runs: number;
  /** Touches of files that the predictor was told of. */
  readonly touches: number;
}

interface Touch {
  readonly path: string;
  readonly at: number;
}

const MAX_TOUCHES = 2_000;

/**
 * Reads a session message by message, and remembers what came of it: an episode for each task, what was done step by step,
 * and which files were touched. Written again when the session has gone on, the same episodes are told anew.
 *
 * @example
 * const recorder = new SessionRecorder({ sessionId: "s1", folder: "/home/ada/app" });
 * for (const message of messages) recorder.add(message);
 * await recorder.write(ports);
 */
export class SessionRecorder {
  readonly #facts: SessionFacts;
  readonly #story = new SessionStory();
  readonly #runs = new RunRecorder();
  readonly #touches: Touch[] = [];
  #startedAt = 0;
  #last = "";

  constructor(facts: SessionFacts) {
    this.#facts = facts;
  }

  add(message: Message): void {
    if (this.#startedAt === 0) this.#startedAt = message.createdAt;
    this.#last = message.id;
    const safe = withoutSecrets(message);
    this.#story.add(safe);
    this.#runs.add(safe);
    for (const part of safe.parts) {
      if (part.type !== "tool-call") continue;
      for (const { path } of readCall(part).touches) this.#touch(path, message.createdAt);
    }
  }

  /** Remembers it all; nothing of it where it was remembered before and nothing came since. */
  async write(ports: RecordPorts, { signal }: { readonly signal?: AbortSignal } = {}): Promise<RecordedSession> {
    const { sessionId } = this.#facts;
    const known = await readRecord(ports, { sessionId, at: this.#startedAt });
    const tasks = this.#story.tasks;
    const episodes = emptyCounts();
    const digests: Record<string, string> = { ...known?.episodes };
    for (const task of tasks) {
      signal?.throwIfAborted();
      const input = this.#episode(task, ports, tasks.length === 1);
      const told = await upsertLearned(ports.memory, input, digests[input.id], (same) =>
        inModelsWords(ports, same, signal),
      );
      episodes[told.outcome] += 1;
      digests[input.id] = told.digest;
    }
    const heard = known?.told ?? 0;
    const record: SessionRecord = {
      version: 1,
      sessionId,
      at: this.#startedAt,
      messages: this.#story.messages,
      last: this.#last,
      runs: this.#runs.runs,
      episodes: digests,
      touches: this.#touches.length,
      told: ports.observe === undefined ? heard : this.#touches.length,
    };
    // Written first: who is killed while telling the predictor tells it nothing twice.
    if (!sameJson(record, known)) await writeRecord(ports, record);
    return { episodes, runs: record.runs.length, touches: await this.#tell(ports, heard) };
  }

  /** What would be remembered, in a line each: for who only wants to know. */
  get episodes(): readonly string[] {
    const tasks = this.#story.tasks;
    return tasks.map((task) => tellEpisode(task, this.#options(tasks.length === 1)).levels.compressed);
  }

  /** Nothing came of it so far. */
  get isEmpty(): boolean {
    return this.#story.tasks.length === 0 && this.#runs.runs.length === 0;
  }

  /** What was done, for who mines it without keeping it. */
  get record(): Pick<SessionRecord, "sessionId" | "at" | "runs"> {
    return { sessionId: this.#facts.sessionId, at: this.#startedAt, runs: this.#runs.runs };
  }

  #episode(task: Task, { projectId = "" }: RecordPorts, isOnly: boolean): RememberInput & { readonly id: string } {
    const { title, levels, artifacts } = tellEpisode(task, this.#options(isOnly));
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
    const own = fromRoot(path.replace(/^\.\//, ""), folder);
    if (/^(?:\/|[A-Za-z]:|~|\.\.\/)/.test(own) || this.#touches.length >= MAX_TOUCHES) return;
    if (this.#touches.at(-1)?.path !== own) this.#touches.push({ path: own, at });
  }

  /** Tells the predictor of touches that it has not heard of. */
  async #tell({ observe }: RecordPorts, heard: number): Promise<number> {
    if (observe === undefined) return 0;
    const fresh = this.#touches.slice(heard);
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
    logger.info(`An episode is told in the rules' words: ${failure ?? "the model had none"}.`);
    return input;
  }
  const { full: _, ...shorter } = levels;
  return { ...input, levels: shorter };
}
