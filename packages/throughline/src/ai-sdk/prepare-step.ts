import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { Session } from "../session/session.ts";
import type { PrepareOptions } from "../session/turn.ts";
import type { GivenSystem, StepInput, SystemMessage, SystemPrompt } from "./sdk-types.ts";
import { trackerOf } from "./session-tracker.ts";
import { asSystemMessages, splitSystem, systemText, withPrepared } from "./system-prompt.ts";

export interface PrepareStepOptions extends Omit<PrepareOptions, "system"> {
  /** The system prompt. Version 7 says it by itself; version 6 does not, so give it here where you give one there. */
  readonly system?: GivenSystem;
}

/** What a step is sent: version 7 reads `instructions`, version 6 `system`. */
export interface PreparedStep {
  messages: ModelMessage[];
  instructions?: SystemPrompt;
  system?: SystemPrompt;
}

/**
 * For `prepareStep` of `generateText`, `streamText` and `ToolLoopAgent`, versions 6 and 7: what is new goes into the
 * session, and the step is sent a window that fits.
 *
 * @example
 * await generateText({ model, tools, messages, prepareStep: prepareStep(session), onStepEnd: persist(session) });
 */
export function prepareStep(
  session: Session,
  options: PrepareStepOptions = {},
): (step: StepInput) => Promise<PreparedStep> {
  const tracker = trackerOf(session);
  const { system: given, ...preparing } = options;
  return async (step) => {
    const { others } = splitSystem(step.messages);
    const { system: said } = splitSystem(step.initialMessages ?? step.messages);
    const base = given ?? step.initialInstructions;
    const system = [...asSystemMessages(base), ...said];
    // Version 6 does not say its system prompt, and what is returned would take its place.
    const isSystemKnown = step.initialMessages !== undefined || given !== undefined;
    if (!isSystemKnown && preparing.memory) {
      throw new InvalidOptionError(
        "system",
        given,
        "the system prompt (or an empty one), because memories go behind it",
      );
    }
    await tracker.takeIn(toRichWindow(others), "messages");
    const turn = await session.prepare({ ...preparing, system: systemText(system) });
    tracker.noteWindow(toRichWindow(turn.messages));
    if (!isSystemKnown) return { messages: [...said, ...turn.messages] };
    const prompt = asPrompt(withPrepared(system, turn.system));
    if (prompt === undefined) return { messages: turn.messages };
    const name = step.initialMessages === undefined ? "system" : "instructions";
    return { messages: turn.messages, [name]: prompt };
  };
}

/** A text stays a text; messages with settings, cache marks for example, keep them. */
function asPrompt(messages: SystemMessage[]): SystemPrompt | undefined {
  const [first, ...more] = messages;
  return more.length === 0 && first?.providerOptions === undefined ? first?.content : messages;
}
