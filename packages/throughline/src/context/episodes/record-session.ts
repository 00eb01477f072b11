import type { Message } from "../../message/message.ts";
import type { RecordPorts } from "./record-ports.ts";
import { type RecordedSession, type SessionFacts, SessionRecorder } from "./session-recorder.ts";

/** A session with all that was said in it so far. */
interface SessionToRecord extends SessionFacts {
  readonly messages: Iterable<Message> | AsyncIterable<Message>;
}

/**
 * Remembers what came of a session that ends: one episode for each task, in which the request, what was changed, what went
 * wrong and what helped are told at four lengths. Called again when the session has gone on, it tells the same episodes anew.
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
