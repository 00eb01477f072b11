import type { Message } from "./message.ts";
import type { Part } from "./part.ts";
import { toolOutputText } from "./tool-output.ts";

/** What a message says, whole: calls and results by name, files by their kind. */
export function messageText(message: Message): string {
  return message.parts
    .map(partText)
    .filter((text) => text !== "")
    .join("\n");
}

function partText(part: Part): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "compaction-marker":
      return part.summary;
    case "tool-call":
      return `${part.toolName}(${JSON.stringify(part.input)})`;
    case "tool-result":
      return `${part.toolName}: ${toolOutputText(part.output)}`;
    case "file":
    case "reasoning-file":
      return `[${part.mediaType}${part.type === "file" && part.filename !== undefined ? ` ${part.filename}` : ""}]`;
    case "step-start":
      return "";
    default:
      return `[${part.type}]`;
  }
}
