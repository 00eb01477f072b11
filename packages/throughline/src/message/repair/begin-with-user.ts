import type { Message } from "../message.ts";
import { besideMessage, type RepairContext, syntheticText } from "./repair.ts";

/** What an opening takes its session and time from when there is no message at all. */
const NOTHING: Message = { id: "", sessionId: "", role: "user", parts: [], createdAt: 0 };

/** Puts an opening by the user before what another side says first, or where nobody says anything. */
export function beginWithUser(messages: readonly Message[], { report, freeId }: RepairContext): readonly Message[] {
  const start = messages.findIndex((message) => message.role !== "system");
  const first = messages[start];
  if (first?.role === "user") return messages;
  const beside = first ?? messages.at(-1) ?? NOTHING;
  const id = freeId(`${beside.id}~opening`);
  const text = first === undefined ? "an opening by the user was added" : "an opening by the user was put before it";
  report({ code: "added-opening", messageId: first?.id ?? id, text });
  const parts = [syntheticText(`${id}.0`, "(The conversation begins here.)")];
  const opening = besideMessage(beside, id, "user", parts);
  return messages.toSpliced(first === undefined ? messages.length : start, 0, opening);
}
