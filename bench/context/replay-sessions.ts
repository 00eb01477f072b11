import { recordSession } from "../../packages/throughline/src/context/episodes/session-recorder.ts";
import { learnWorkflows } from "../../packages/throughline/src/context/workflows/learn-workflows.ts";
import type { IngestMessage } from "../../packages/throughline/src/memory/memory-api.ts";
import type { Message } from "../../packages/throughline/src/message/message.ts";
import type { Clock } from "../../packages/throughline/src/ports/clock.ts";
import type { Store } from "../../packages/throughline/src/ports/store.ts";
import { inProcessStore } from "../../packages/throughline/src/store/in-process.ts";
import { createThroughline } from "../../packages/throughline/src/throughline.ts";
import type { Throughline } from "../../packages/throughline/src/throughline-api.ts";
import type { TranscriptSession } from "../../packages/throughline/src/transcript/transcript.ts";
import type { ReplayPoint } from "./replay-points.ts";

/** User of all sessions; the folder is the project. */
export const OWNER = "bench";
/** A logger that writes nothing. */
export const QUIET = { info: () => undefined, warn: () => undefined };

/** A point of a session, with everything remembered by then. */
export interface Moment {
  readonly point: ReplayPoint;
  readonly throughline: Throughline;
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * Replays the sessions of one folder in order, each up to its points: earlier messages are remembered as they would
 * have been, later ones are unknown. Each item must be used before the next one is requested.
 */
export async function* replayFolder(
  folder: string,
  sessions: readonly TranscriptSession[],
  pointsOf: (session: TranscriptSession) => readonly ReplayPoint[],
): AsyncGenerator<Moment> {
  let now = 0;
  const clock = { now: () => now };
  const store = inProcessStore(clock);
  const throughline = await createThroughline({ store, clock, userId: OWNER, projectId: folder });
  const { memory, context } = throughline;
  const ports = {
    memory,
    documents: store.documents,
    userId: OWNER,
    projectId: folder,
    logger: QUIET,
    observe: context.observe.bind(context),
  };
  const remember = async ({ id, meta }: TranscriptSession, messages: readonly Message[]): Promise<void> => {
    now = Math.max(now, ...messages.map(({ createdAt }) => createdAt));
    await memory.ingest({ sessionId: id, messages: messages.flatMap((message) => speechOf(message) ?? []) });
    await recordSession(ports, { sessionId: id, folder, title: meta.title, messages });
    if (meta.branch !== undefined) await context.observe({ sessionId: id, branch: meta.branch, at: now });
    await learnWorkflows(ports);
  };
  for (const session of sessions) {
    for (const point of pointsOf(session)) {
      await remember(session, point.before);
      yield { point, throughline, store, clock };
    }
    await remember(session, session.messages);
  }
  await throughline.close();
}

function speechOf({ id, role, createdAt, parts }: Message): IngestMessage | undefined {
  if (role !== "user" && role !== "assistant") return undefined;
  const texts = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []));
  const text = texts.join("\n\n").trim();
  return text === "" ? undefined : { id, role, text, ...(createdAt > 0 && { at: createdAt }) };
}
