import type { ModelMessage } from "ai";
import type { PreparedTurn } from "throughline";
import type { ChatModel } from "../models/chat-model.ts";
import { ModelError, reasonOf } from "../models/model-error.ts";

/** How an answer ended. */
export interface Answer {
  readonly text: string;
  readonly end: "done" | "stopped" | "failed";
  readonly problem?: string;
  /** Input tokens as the provider counted them. */
  readonly inputTokens?: number;
}

/** Streams a model's answer to a window. It never throws: an answer that broke off says so, with what there is of it. */
export async function streamAnswer(
  { languageModel, label }: ChatModel,
  { system, messages }: PreparedTurn,
  { signal, onText }: { readonly signal: AbortSignal; readonly onText: (text: string) => void },
): Promise<Answer> {
  let text = "";
  let inputTokens: number | undefined;
  try {
    // Loaded with the first model: a page without one doesn't need it.
    const { streamText } = await import("ai");
    const { fullStream } = streamText({
      model: languageModel,
      instructions: system,
      messages: messages as ModelMessage[],
      abortSignal: signal,
      maxRetries: 1,
      // Told below, in words for a person.
      onError: () => undefined,
    });
    for await (const part of fullStream) {
      if (part.type === "error") throw part.error;
      if (part.type === "text-delta") {
        text += part.text;
        onText(text);
      }
      if (part.type === "finish") inputTokens = part.totalUsage.inputTokens;
    }
    if (signal.aborted) return { text, end: "stopped" };
    if (text.trim() === "")
      return { text, end: "failed", problem: `${label} returned an empty reply. Your message is saved. Try again.` };
    return { text, end: "done", ...(inputTokens !== undefined && { inputTokens }) };
  } catch (error) {
    if (signal.aborted) return { text, end: "stopped" };
    return { text, end: "failed", problem: tell(label, error) };
  }
}

function tell(label: string, error: unknown): string {
  if (ModelError.isInstance(error)) return error.message;
  return `${label} couldn't reply: ${reasonOf(error).slice(0, 300)} Your message is saved.`;
}
