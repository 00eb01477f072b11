import type { FilePart, FinishReason, LanguageModelUsage, ModelMessage } from "ai";
import type { PreparedTurn } from "throughline";
import { chatCopy } from "../copy/chat.ts";
import type { ChatModel, CurrentModel } from "../models/chat-model.ts";
import { ModelError, reasonOf } from "../models/model-error.ts";
import { takesImages } from "./attachments.ts";
import type { ShownMessage } from "./chat-state.ts";

const { reply: copy } = chatCopy;

/** Ends of an answer that is not complete, by the reason of the model. */
const ENDS: Readonly<Partial<Record<FinishReason, Answer["end"]>>> = { length: "cut", "content-filter": "filtered" };

/** A finished answer. */
export interface Answer {
  readonly text: string;
  /** Reasoning of the model, if it sends any. */
  readonly reasoning: string;
  readonly end: "done" | "stopped" | "cut" | "filtered" | "failed";
  readonly problem?: string;
  /** Input tokens as the provider counted them. */
  readonly inputTokens?: number;
  /** Number of images that were not sent, because the model takes none. */
  readonly imagesLeftOut?: number;
}

interface StreamOptions {
  readonly signal: AbortSignal;
  readonly onText: (text: string, reasoning: string) => void;
  /** Added behind the window of this request alone. */
  readonly instruction?: string | undefined;
}

/**
 * Streams the answer to a window, without its images if the model takes none. Never throws: a failed answer has its
 * partial text and the problem.
 */
export async function streamAnswer(
  model: ChatModel,
  { system, messages }: Pick<PreparedTurn, "system" | "messages">,
  options: StreamOptions,
): Promise<Answer> {
  const given = messages as ModelMessage[];
  const images = takesImages(model) ? 0 : countImages(given);
  const sent = images === 0 ? given : withoutImages(given);
  const answer = await stream(model, { system, messages: plainMessages(sent) }, options);
  return images === 0 ? answer : { ...answer, imagesLeftOut: images };
}

interface PlainWindow {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
}

async function stream(
  { languageModel, label }: ChatModel,
  { system, messages }: PlainWindow,
  { signal, onText, instruction }: StreamOptions,
): Promise<Answer> {
  let [text, reasoning] = ["", ""];
  const tools = new Set<string>();
  let usage: Pick<Answer, "inputTokens"> = {};
  let end: Answer["end"] = "done";
  try {
    const more: readonly ModelMessage[] = instruction === undefined ? [] : [{ role: "user", content: instruction }];
    const asked = [...messages, ...more];
    // Loaded with the first model: a page without one doesn't need it.
    const { extractReasoningMiddleware, streamText, wrapLanguageModel } = await import("ai");
    const { fullStream } = streamText({
      // Small models write their reasoning into the answer, between tags.
      model: wrapLanguageModel({
        model: languageModel as CurrentModel,
        middleware: extractReasoningMiddleware({ tagName: "think" }),
      }),
      instructions: system,
      messages: asked,
      abortSignal: signal,
      maxRetries: 1,
      // Reported below.
      onError: () => undefined,
    });
    for await (const part of fullStream) {
      if (part.type === "error") throw part.error;
      text += part.type === "text-delta" ? part.text : "";
      reasoning += part.type === "reasoning-delta" ? part.text : "";
      if (part.type.endsWith("-delta")) onText(text, reasoning);
      if (part.type === "tool-call") tools.add(part.toolName);
      if (part.type === "finish") {
        usage = inputUsage(part.totalUsage);
        end = ENDS[part.finishReason] ?? "done";
      }
    }
    if (signal.aborted) return { text, reasoning, end: "stopped" };
    const problem = whatIsMissing(label, text, tools, end);
    return problem === undefined ? { text, reasoning, end, ...usage } : { text, reasoning, end: "failed", problem };
  } catch (error) {
    if (signal.aborted) return { text, reasoning, end: "stopped" };
    return { text, reasoning, end: "failed", problem: tell(label, error) };
  }
}

function inputUsage({ inputTokens }: LanguageModelUsage): Pick<Answer, "inputTokens"> {
  return inputTokens === undefined ? {} : { inputTokens };
}

function countImages(messages: readonly ModelMessage[]): number {
  return messages.reduce(
    (count, { content }) => count + (Array.isArray(content) ? content.filter(isFile).length : 0),
    0,
  );
}

/** Each image is replaced by its name: a server answers an image that its model does not take with an error. */
function withoutImages(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message): ModelMessage => {
    if (message.role !== "user" || typeof message.content === "string") return message;
    const content = message.content.map((part) =>
      isFile(part)
        ? ({ type: "text", text: `[Image ${JSON.stringify(part.filename ?? "")}, not sent]` } as const)
        : part,
    );
    return { ...message, content };
  });
}

function isFile(part: { readonly type: string }): part is FilePart {
  return part.type === "file";
}

/** Consecutive texts of a message become one: many OpenAI-compatible servers take content as a string only. */
function plainMessages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== "user" || typeof message.content === "string") return message;
    const texts = message.content.map((part) => (part.type === "text" ? part.text : undefined));
    if (texts.every((text) => text !== undefined)) return { role: "user", content: texts.join("\n\n") };
    return message;
  });
}

function whatIsMissing(
  label: string,
  text: string,
  tools: ReadonlySet<string>,
  end: Answer["end"],
): string | undefined {
  if (tools.size > 0) {
    const names = [...tools].map((name) => `“${name.slice(0, 60)}”`).join(", ");
    return copy.askedForTool(label, names);
  }
  if (text.trim() !== "") return undefined;
  return end === "cut" ? copy.cutEmpty(label) : end === "filtered" ? copy.filteredEmpty(label) : copy.empty(label);
}

function tell(label: string, error: unknown): string {
  if (ModelError.isInstance(error)) return error.message;
  return copy.failed(label, reasonOf(error).slice(0, 300));
}

/** A finished answer for display. */
export function endedAs({ text, end, ...answer }: Answer): Pick<ShownMessage, "text" | "state"> {
  const { reasoning, problem, imagesLeftOut } = answer;
  const notes = { ...(reasoning !== "" && { reasoning }), ...(imagesLeftOut !== undefined && { imagesLeftOut }) };
  return { text, state: end, ...notes, ...(problem !== undefined && { problem }) };
}
