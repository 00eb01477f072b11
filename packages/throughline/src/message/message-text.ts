import type { Message } from "./message.ts";
import type { Part } from "./part.ts";
import { toolOutputText } from "./tool-output.ts";

/** Returns the full text of a message. Calls and results are shown with the tool name, files with their media type. */
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
