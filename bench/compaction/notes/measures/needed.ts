import { namedIn } from "throughline/internal/inspect";
import { partText } from "../part-text.ts";
import type { TranscriptMessage, TranscriptPart } from "../transcript.ts";
import { identifiersIn } from "./identifiers.ts";

const MAX_CALLS = 40;

/**
 * Identifiers that the agent typed in its next 40 tool calls, that occur in the messages before, and that no message of
 * the user and no tool result showed again before.
 */
export function findNeeded(before: readonly TranscriptMessage[], after: readonly TranscriptMessage[]): string[] {
  const known = identifiersOf(before);
  const seen = new Set<string>();
  const needed: string[] = [];
  for (const part of nextParts(after)) {
    for (const name of identifiersIn(partText(part))) {
      if (part.kind === "call" && known.has(name) && !seen.has(name)) needed.push(name);
      seen.add(name);
    }
  }
  return needed;
}

/** The next 40 calls, and the parts that the agent was shown between them. */
function nextParts(messages: readonly TranscriptMessage[]): TranscriptPart[] {
  const parts = messages.flatMap(({ role, parts }) => parts.filter(({ kind }) => kind === "call" || role === "user"));
  let calls = 0;
  const end = parts.findIndex(({ kind }) => {
    if (kind === "call") calls += 1;
    return calls > MAX_CALLS;
  });
  return end < 0 ? parts : parts.slice(0, end);
}

function identifiersOf(messages: readonly TranscriptMessage[]): Set<string> {
  const names = new Set<string>();
  for (const part of messages.flatMap((message) => message.parts)) {
    for (const name of identifiersIn(partText(part))) names.add(name);
  }
  return names;
}

/** The share of the needed identifiers that a note names; `undefined` if none is needed. */
export function neededShare(needed: readonly string[], note: string): number | undefined {
  if (needed.length === 0) return undefined;
  return needed.filter(namedIn(note)).length / needed.length;
}
