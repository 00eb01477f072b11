import { isAllowedIn } from "../legality-rules.ts";
import type { Message } from "../message.ts";
import { besideMessage, type RepairContext, toldBy, withParts } from "./repair.ts";

/** Settles system messages after the start, and parts in a message of the wrong role. */
export function settleParts(messages: readonly Message[], { report, freeId }: RepairContext): readonly Message[] {
  const start = messages.findIndex((message) => message.role !== "system");
  return messages.flatMap((message, m) => {
    const { id, role, parts } = message;
    if (role === "system" && start >= 0 && m > start) {
      const text = "a system message after the start is told by the user's side";
      report({ code: "told-as-text", messageId: id, text });
      const told = parts.map((part) => toldBy("user", part));
      return [{ ...withParts(message, told), role: "user" as const }];
    }
    if (parts.every((part) => isAllowedIn(role, part))) return [message];
    const text = `parts that do not belong in a ${role} message are told as text`;
    report({ code: "moved-part", messageId: id, text });
    if (role !== "tool") {
      const told = parts.map((part) => toldBy(role, part));
      return [withParts(message, told)];
    }
    const kept = parts.filter((part) => isAllowedIn(role, part));
    const told = parts.filter((part) => !isAllowedIn(role, part)).map((part) => toldBy("user", part));
    return [
      ...(kept.length === 0 ? [] : [withParts(message, kept)]),
      besideMessage(message, freeId(`${id}~told`), "user", told),
    ];
  });
}
