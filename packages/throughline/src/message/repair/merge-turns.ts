import { isSameTurn, isSubstance } from "../legality-rules.ts";
import type { Message } from "../message.ts";
import { type RepairContext, withParts } from "./repair.ts";

/** Joins messages of one side that follow each other. */
export function mergeTurns(messages: readonly Message[], { report }: RepairContext): readonly Message[] {
  const turns: { readonly first: Message; readonly all: Message[] }[] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (turn === undefined || !isSameTurn(turn.first, message)) {
      turns.push({ first: message, all: [message] });
      continue;
    }
    const { role, id } = turn.first;
    report({ code: "merged", messageId: message.id, text: `joined with ${role} message ${id} before it` });
    turn.all.push(message);
  }
  return turns.map(({ first, all }) => {
    if (all.length === 1) return first;
    const parts = all.flatMap((message) => message.parts);
    // Which parts a converter takes depends on where the message came from, and reasoning may stand before what is said.
    const { provenance } = all.find(says) ?? first;
    return { ...withParts(first, parts), ...(provenance === undefined ? {} : { provenance }) };
  });
}

function says({ parts }: Message): boolean {
  return parts.some((part) => isSubstance(part, []));
}
