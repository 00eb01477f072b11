import type { Message } from "throughline";
import { learnWorkflows, SessionRecorder } from "throughline/internal";
import { type DataOptions, withNewData } from "../data/open-data.ts";
import { rememberSpeech } from "../import/ingest-messages.ts";
import { learningPorts } from "../import/learning-deps.ts";
import { nameSession } from "../import/session-name.ts";
import type { HookInput } from "./hook-input.ts";
import { readSession } from "./read-session.ts";

/** Messages that are held back before they are remembered. */
const BATCH = 50;

/**
 * Remembers what the person said in a session, what came of it, and how things are usually done. What is known already is
 * passed over, so whoever is interrupted goes on by doing it again.
 */
export async function ingestSession(
  input: HookInput,
  options: DataOptions & { readonly folder: string },
  signal: AbortSignal,
): Promise<void> {
  await withNewData(options, async (open) => {
    let recorder: SessionRecorder | undefined;
    let held: Message[] = [];
    const flush = async () => {
      const [first] = held;
      const sessionId = first && nameSession(first.sessionId, input.sessionId);
      if (sessionId !== undefined) await rememberSpeech((await open()).throughline.memory, sessionId, held, signal);
      held = [];
    };
    for await (const message of readSession(input, { isBounded: false, signal })) {
      const sessionId = nameSession(message.sessionId, input.sessionId) ?? message.sessionId;
      recorder ??= new SessionRecorder({ sessionId, folder: options.folder });
      recorder.add(message);
      if (message.role !== "user") continue;
      held.push(message);
      if (held.length >= BATCH) await flush();
    }
    await flush();
    if (recorder === undefined || recorder.isEmpty) return;
    const ports = await learningPorts(await open(), options.project);
    await recorder.write(ports, { signal });
    await learnWorkflows(ports, { signal });
  });
}
