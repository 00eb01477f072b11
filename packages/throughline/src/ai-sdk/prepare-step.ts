import { checkOptions, type OptionRules } from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { PREPARE_RULES, type PrepareOptions } from "../session/prepare-options.ts";
import type { Session } from "../session/session.ts";
import type { GivenSystem, StepInput, SystemMessage, SystemPrompt } from "./sdk-types.ts";
import { trackerOf } from "./session-tracker.ts";
import { asSystemMessages, splitSystem, systemText, withPrepared } from "./system-prompt.ts";

export interface PrepareStepOptions extends Omit<PrepareOptions, "system"> {
  /** System prompt. AI SDK 7 passes it to the step; AI SDK 6 does not, so repeat it here if you use one. */
  readonly system?: GivenSystem;
}

const STEP_RULES: OptionRules<PrepareStepOptions> = {
  ...PREPARE_RULES,
  system: [
    (value) => typeof value === "string" || (typeof value === "object" && value !== null),
    "a string, or system messages",
  ],
};

/** Settings of a step: AI SDK 7 reads `instructions`, AI SDK 6 reads `system`. */
export interface PreparedStep {
  messages: ModelMessage[];
  instructions?: SystemPrompt;
  system?: SystemPrompt;
}

/**
 * Creates a function for `prepareStep` of `generateText`, `streamText` and `ToolLoopAgent`, AI SDK 6 and 7. It appends
 * new messages to the session and sends the step a window that fits.
 *
 * @param session Session that stores the conversation.
 * @param options System prompt and memory settings.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * await generateText({ model, messages: prompt, prepareStep: prepareStep(session), onStepEnd: persist(session) });
 */
export function prepareStep(
  session: Session,
  options: PrepareStepOptions = {},
): (step: StepInput) => Promise<PreparedStep> {
  checkOptions("prepareStep", options, STEP_RULES);
  const tracker = trackerOf(session);
  const { system: given, ...preparing } = options;
  return async (step) => {
    const { others } = splitSystem(step.messages);
    const { system: said } = splitSystem(step.initialMessages ?? step.messages);
    const base = given ?? step.initialInstructions;
    const system = [...asSystemMessages(base), ...said];
    // AI SDK 6 does not pass the system prompt, and the returned one would replace it.
    const isSystemKnown = step.initialMessages !== undefined || given !== undefined;
    if (!isSystemKnown && preparing.memory) {
      throw new InvalidOptionError(
        "system",
        given,
        "the system prompt (may be empty), because memories are appended to it",
      );
    }
    await tracker.appendNew(toRichWindow(others), "messages");
    const turn = await session.prepare({ ...preparing, system: systemText(system) });
    tracker.recordWindow(toRichWindow(turn.messages));
    if (!isSystemKnown) return { messages: [...said, ...turn.messages] };
    const prompt = asPrompt(withPrepared(system, turn.system));
    if (prompt === undefined) return { messages: turn.messages };
    const name = step.initialMessages === undefined ? "system" : "instructions";
    return { messages: turn.messages, [name]: prompt };
  };
}

/** A single text stays a string. Messages with provider options, such as cache marks, keep them. */
function asPrompt(messages: SystemMessage[]): SystemPrompt | undefined {
  const [first, ...more] = messages;
  return more.length === 0 && first?.providerOptions === undefined ? first?.content : messages;
}
