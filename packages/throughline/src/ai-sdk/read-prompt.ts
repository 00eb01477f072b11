import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";

/** The messages of a prompt as it is sent to a model. Only what the provider runs itself is asked for approval there. */
export function readPrompt(messages: readonly ForeignModelMessage[]): readonly Message[] {
  return toRichWindow(messages).map((message) => {
    if (message.role !== "tool") return message;
    return {
      ...message,
      parts: message.parts.map((part) =>
        part.type === "tool-approval-response" ? { ...part, providerExecuted: true } : part,
      ),
    };
  });
}
