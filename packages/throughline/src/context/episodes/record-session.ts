import type { Message } from "../../message/message.ts";
import type { RecordPorts } from "./record-ports.ts";
import { type RecordedSession, type SessionFacts, SessionRecorder } from "./session-recorder.ts";

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
