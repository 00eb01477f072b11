import { toRichWindow } from "../message/to-rich-window.ts";
import type { Session } from "../session/session.ts";
import type { FinishedStep } from "./sdk-types.ts";
import { trackerOf } from "./session-tracker.ts";

/**
 * Creates a callback for `onStepEnd` (AI SDK 7) or `onStepFinish` (AI SDK 6). It appends the messages of the step to
 * the session, once, and reports the token usage, which calibrates later counts.
 *
 * @param session Session that stores the conversation.
 *
 * @example
 * await generateText({ model, messages: prompt, prepareStep: prepareStep(session), onStepEnd: persist(session) });
 */
export function persist(session: Session): (step: FinishedStep) => Promise<void> {
  const tracker = trackerOf(session);
  return async ({ callId, stepNumber, response, usage }) => {
    const isWhole = callId === undefined;
    await tracker.appendStep(toRichWindow(response.messages ?? []), {
      isWhole,
      ...(isWhole ? {} : { id: `${callId}/${stepNumber}` }),
    });
    await tracker.observe(usage);
  };
}
