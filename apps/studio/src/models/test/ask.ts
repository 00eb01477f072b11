import { streamText } from "ai";
import type { ChatModel } from "../chat-model.ts";

/** Sends a message as the chat does. Returns the text and the error. */
export async function ask(
  model: ChatModel | undefined,
  prompt = "Hi",
  options: { readonly signal?: AbortSignal; readonly onText?: (text: string) => void } = {},
): Promise<{ readonly text: string; readonly error?: unknown; readonly inputTokens?: number | undefined }> {
  if (model === undefined) throw new Error("There is no model to ask.");
  const { fullStream } = streamText({
    model: model.languageModel,
    instructions: "Be kind.",
    prompt,
    maxRetries: 0,
    onError: () => undefined,
    ...(options.signal && { abortSignal: options.signal }),
  });
  let text = "";
  let inputTokens: number | undefined;
  for await (const part of fullStream) {
    if (part.type === "error") return { text, error: part.error };
    if (part.type === "text-delta") {
      text += part.text;
      options.onText?.(text);
    }
    if (part.type === "finish") ({ inputTokens } = part.totalUsage);
  }
  return { text, inputTokens };
}
