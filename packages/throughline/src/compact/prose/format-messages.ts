import type { ForeignModelMessage } from "../../message/convert/ai-sdk.ts";
import type { Message } from "../../message/message.ts";
import { sentOutput } from "../../message/message-text.ts";
import type { Part } from "../../message/part.ts";
import { toRichWindow } from "../../message/to-rich-window.ts";
import { toolOutputText } from "../../message/tool-output.ts";

const MAX_RESULT_LENGTH = 500;
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * Formats messages as text for the prompt of a summarizer: each with its position and role, texts, tool calls and
 * results. Reasoning is left out. Of a message over 2,000 characters and a tool result over 500, only start and end are
 * kept.
 *
 * @param messages Messages to summarize.
 *
 * @example
 * formatMessagesForSummary(messages); // "[0] USER:\nRename it\n\n---\n\n[1] ASSISTANT:\nDone."
 */
export function formatMessagesForSummary(messages: readonly (Message | ForeignModelMessage)[]): string {
  return toRichWindow(messages)
    .map((message, index) => {
      const content = cut(contentOf(message), MAX_MESSAGE_LENGTH, "\n[...truncated...]\n");
      return `[${index}] ${message.role.toUpperCase()}:\n${content}`;
    })
    .join("\n\n---\n\n");
}

function contentOf(message: Message): string {
  return message.parts
    .map(partText)
    .filter((text) => text !== "")
    .join("\n");
}

function partText(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "compaction-marker":
      return part.summary;
    case "tool-call":
      return `[Tool: ${part.toolName}(${JSON.stringify(part.input)})]`;
    case "tool-result":
      return `[Result: ${cut(toolOutputText(sentOutput(part)), MAX_RESULT_LENGTH, " ... ")}]`;
    case "file":
      return `[File: ${part.filename ?? part.mediaType}]`;
    default:
      return "";
  }
}

/** Both ends of a text: an error is as often at the end as at the start. */
function cut(text: string, longest: number, gap: string): string {
  if (text.length <= longest) return text;
  const head = Math.floor(longest * 0.7);
  return `${text.slice(0, head)}${gap}${text.slice(head - longest)}`;
}

/** Untrusted text between tags that it cannot close. */
export function fence(tag: string, text: string): string {
  const clean = text.replaceAll(new RegExp(`<(/?)${tag}`, "gi"), `‹$1${tag}`);
  return `<${tag}>\n${clean}\n</${tag}>`;
}
