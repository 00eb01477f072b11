import type { Message } from "throughline";
import { learnWorkflows, SessionRecorder } from "throughline/internal/engine";
import { type DataOptions, learningDeps, withNewData } from "../data/open-data.ts";
import { nameSession } from "../import/import-transcript.ts";
import { ingestMessages, SavedMessages } from "../import/ingest-messages.ts";
import { currentBranch } from "../workspace/run-git.ts";
import type { HookInput } from "./hook-input.ts";
import { readSession } from "./read-session.ts";

/** Messages per batch. */
const BATCH = 50;

/**
 * Stores the user's utterances of a session, its outcome and its workflows. Known ones are skipped, so an interrupted
 * run continues when it is repeated.
 */
export async function ingestSession(
  input: HookInput,
  options: DataOptions & { readonly folder: string },
  signal: AbortSignal,
): Promise<void> {
  await withNewData(options, async (open) => {
    let recorder: SessionRecorder | undefined;
    let held: Message[] = [];
    const saved = new SavedMessages();
    const flush = async () => {
      const [first] = held;
      const sessionId = first && nameSession(first.sessionId, input.sessionId);
      if (sessionId !== undefined) {
        await ingestMessages((await open()).throughline.memory, sessionId, held, { saved, signal });
      }
      held = [];
    };
    for await (const message of readSession(input, { isBounded: false, signal })) {
      const sessionId = nameSession(message.sessionId, input.sessionId) ?? message.sessionId;
      recorder ??= new SessionRecorder({ sessionId, folder: options.folder });
      recorder.add(message);
      // All delayed messages are answered by now.
      if (message.role === "user" && held.length >= BATCH) await flush();
      saved.add(message);
      if (message.role === "user") held.push(message);
    }
    await flush();
    if (recorder === undefined || recorder.isEmpty) return;
    const ports = await learningDeps(await open(), options.project);
    await recorder.write(ports, { signal });
    const branch = await currentBranch(options.folder);
    if (branch !== undefined) await ports.observe?.({ sessionId: recorder.record.sessionId, branch });
    await learnWorkflows(ports, { signal });
  });
}
