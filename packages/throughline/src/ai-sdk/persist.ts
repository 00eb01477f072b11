import { toRichWindow } from "../message/to-rich-window.ts";
import type { Session } from "../session/session.ts";
import type { FinishedStep } from "./sdk-types.ts";
import { trackerOf } from "./session-tracker.ts";

/**
 * For `onStepEnd` (version 7) or `onStepFinish` (version 6): what the step brought goes into the session, once, and the
 * tokens that the provider counted for it correct the counts to come.
 *
 * @example
 * await generateText({ model, tools, messages, prepareStep: prepareStep(session), onStepEnd: persist(session) });
 */
export function persist(session: Session): (step: FinishedStep) => Promise<void> {
  const tracker = trackerOf(session);
  return async ({ callId, stepNumber, response, usage }) => {
    const isWhole = callId === undefined;
    await tracker.takeInStep(toRichWindow(response.messages ?? []), {
      isWhole,
      ...(isWhole ? {} : { id: `${callId}/${stepNumber}` }),
    });
    await tracker.observe(usage);
  };
}
