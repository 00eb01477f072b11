import { checkOptions, checkSession, type OptionRules } from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { Session } from "../session/session.ts";
import { PREPARE_RULES, type PrepareOptions } from "../session/session-options.ts";
import { trackerOf } from "./session-tracker.ts";
import type { GivenSystem, StepInput, SystemMessage, SystemPrompt } from "./stream-settings.ts";

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
 * @throws InvalidOptionError if `session` is no session, or an option is invalid or unknown.
 *
 * @example
 * await generateText({ model, messages: prompt, prepareStep: prepareStep(session), onStepEnd: persist(session) });
 */
export function prepareStep(
  session: Session,
  options: PrepareStepOptions = {},
): (step: StepInput) => Promise<PreparedStep> {
  checkSession("prepareStep", session);
  checkOptions("prepareStep", options, STEP_RULES);
  const tracker = trackerOf(session);
  const { system: given, ...preparing } = options;
  return async (step) => {
    const { others } = splitSystem(step.messages);
    const { system: conversation } = splitSystem(step.initialMessages ?? step.messages);
    const base = given ?? step.initialInstructions;
    const system = [...asSystemMessages(base), ...conversation];
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
    if (!isSystemKnown) return { messages: [...conversation, ...turn.messages] };
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

/** Separates system messages from the others: no provider accepts them in the middle. */
export function splitSystem(messages: readonly ForeignModelMessage[]): {
  readonly system: SystemMessage[];
  readonly others: ForeignModelMessage[];
} {
  const isSystem = (message: ForeignModelMessage) => message.role === "system" && typeof message.content === "string";
  return {
    system: messages.filter(isSystem) as unknown as SystemMessage[],
    others: messages.filter((message) => !isSystem(message)),
  };
}

function asSystemMessages(prompt: GivenSystem | undefined): SystemMessage[] {
  if (prompt === undefined || prompt === "") return [];
  if (typeof prompt === "string") return [{ role: "system", content: prompt }];
  return (Array.isArray(prompt) ? [...prompt] : [prompt]) as SystemMessage[];
}

/** Joins system messages into one text. */
export function systemText(messages: readonly SystemMessage[]): string {
  return messages.map(({ content }) => content).join("\n\n");
}

/** Appends the memories of a prepared turn to the last system message: some models accept only one. */
export function withPrepared(messages: readonly SystemMessage[], prepared: string): SystemMessage[] {
  const added = prepared.slice(systemText(messages).length);
  if (added === "") return [...messages];
  const last = messages.at(-1);
  if (last === undefined) return [{ role: "system", content: added }];
  return [...messages.slice(0, -1), { ...last, content: `${last.content}${added}` }];
}
