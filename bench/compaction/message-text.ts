import type { Message, Part } from "throughline";
import { valuesText } from "throughline/internal/util";
import type { ToolOutput } from "throughline/messages";

/** The text of the messages, as a model would read it. */
export function readMessages(messages: readonly Message[]): string {
  return messages.flatMap((message) => message.parts.map(readPart)).join("\n");
}

export function readPart(part: Part): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "compaction-marker":
      return part.summary;
    case "tool-call":
      return `${part.toolName}\n${valuesText(part.input)}`;
    case "tool-result":
      return readOutput(part.output);
    default:
      return "";
  }
}

function readOutput(output: ToolOutput): string {
  switch (output.type) {
    case "content":
      return output.value.map((item) => (typeof item.text === "string" ? item.text : "")).join("\n");
    case "execution-denied":
      return output.reason ?? "";
    default:
      return valuesText(output.value);
  }
}
