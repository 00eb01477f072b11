import { type Message, type Part, parseTranscript } from "throughline";
import { readPart } from "../message-text.ts";
import type { TranscriptMessage, TranscriptPart } from "./transcript.ts";

export interface CodexTranscript {
  readonly messages: readonly TranscriptMessage[];
  /** Index of the first message after each compaction. The summaries are encrypted. */
  readonly starts: readonly number[];
}

/** Reads a Codex transcript with the importer of the product. */
export function readCodex(text: string): CodexTranscript {
  const main = parseTranscript(text, "codex").sessions.find(({ meta }) => meta.parentId === undefined);
  const all = main?.messages ?? [];
  const messages: TranscriptMessage[] = [];
  const starts: number[] = [];
  let from = 0;
  for (const { at } of main?.compactions ?? []) {
    messages.push(...fromMessages(all.slice(from, at)));
    starts.push(messages.length);
    from = at;
  }
  messages.push(...fromMessages(all.slice(from)));
  return { messages, starts };
}

/** System messages are left out. */
function fromMessages(messages: readonly Message[]): TranscriptMessage[] {
  return messages.flatMap((message) => {
    if (message.role === "system") return [];
    const role = message.role === "assistant" ? "assistant" : "user";
    return [{ role, parts: message.parts.flatMap(fromPart), isSummary: message.isSummary === true, line: 0 }];
  });
}

function fromPart(part: Part): TranscriptPart[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return [{ kind: part.type, text: part.text }];
    case "tool-call":
      return [{ kind: "call", id: part.toolCallId, name: part.toolName, input: part.input }];
    case "tool-result": {
      const isError = part.output.type === "error-text" || part.output.type === "error-json";
      return [{ kind: "result", id: part.toolCallId, isError, text: readPart(part) }];
    }
    default:
      return [];
  }
}
