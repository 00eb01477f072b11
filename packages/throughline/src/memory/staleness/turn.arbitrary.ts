import fc from "fast-check";
import type { Utterance } from "../../ports/memory.ts";

/** Turns from lines. A line that starts with `assistant:` is a turn of the assistant. */
export function conversation(...lines: readonly string[]): Utterance[] {
  return lines.map((line, position) => {
    const isReply = line.startsWith("assistant:");
    const text = isReply ? line.slice("assistant:".length).trim() : line;
    const role = isReply ? "assistant" : "user";
    return { id: `t${position}`, sessionId: "s", position, role, text, createdAt: position, owner: "u1" };
  });
}

const pieces = fc.constantFrom(
  "The meeting is on Friday.",
  "Actually, ",
  "change that to Monday.",
  "Order #12 cancelled.",
  "Update: ",
  "The value was: $5. The actual value is: $6.",
  "previous plan 'go by train' was wrong.",
  "We're going with Acme for the contract.",
  "from 3pm to 4pm",
  "\n",
  "?",
  "… ",
);

/** Text with and without meaning. */
export const anyTalk: fc.Arbitrary<string> = fc.oneof(
  fc.array(pieces, { maxLength: 6 }).map((list) => list.join(" ")),
  fc.string({ unit: "binary", maxLength: 60 }),
);
