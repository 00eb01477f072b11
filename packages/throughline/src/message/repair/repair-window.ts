import { isAllowedIn, isSameTurn, isSubstance } from "../legality-rules.ts";
import type { Message } from "../message.ts";
import { isBareReasoning } from "../tool-pairs.ts";
import { repairCallIds } from "./call-ids.ts";
import { type Repair, type RepairedWindow, type RepairStep, type Report, syntheticText, toldBy } from "./repair.ts";
import { repairToolPairs } from "./tool-pairs.ts";

const STEPS: readonly RepairStep[] = [
  repairCallIds,
  settleParts,
  repairToolPairs,
  dropEmpty,
  mergeTurns,
  beginWithUser,
];

/**
 * Makes a window legal for every provider and lists what it did. Meant for foreign transcripts, where calls without
 * results and results without calls occur: what has no legal place is told as text, so that it is not lost. A legal
 * window comes back as it is.
 *
 * @example
 * const { messages, repairs } = repairWindow(session.messages);
 */
export function repairWindow(messages: readonly Message[]): RepairedWindow {
  const repairs: Repair[] = [];
  const repaired = STEPS.reduce((list, step) => step(list, (repair) => repairs.push(repair)), messages);
  return { messages: repaired, repairs };
}

/** System messages after the start, and parts in a message of the wrong role. */
function settleParts(messages: readonly Message[], report: Report): readonly Message[] {
  const start = messages.findIndex((message) => message.role !== "system");
  return messages.flatMap((message, m) => {
    const { id, role, parts } = message;
    if (role === "system" && start >= 0 && m > start) {
      report({
        code: "told-as-text",
        messageId: id,
        text: "a system message after the start is told by the user's side",
      });
      return [
        {
          ...message,
          role: "user" as const,
          parts: parts.map((part) => toldBy("user", part)),
        },
      ];
    }
    if (parts.every((part) => isAllowedIn(role, part))) return [message];
    report({
      code: "moved-part",
      messageId: id,
      text: `parts that do not belong in a ${role} message are told as text`,
    });
    if (role !== "tool") {
      return [{ ...message, parts: parts.map((part) => toldBy(role, part)) }];
    }
    const told = parts.filter((part) => !isAllowedIn(role, part)).map((part) => toldBy("user", part));
    return [
      { ...message, parts: parts.filter((part) => isAllowedIn(role, part)) },
      { ...message, id: `${id}~told`, role: "user" as const, parts: told },
    ];
  });
}

/** Texts without a word, messages without substance, and reasoning that leads nowhere. */
function dropEmpty(messages: readonly Message[], report: Report): readonly Message[] {
  const kept: Message[] = [];
  for (const message of messages.toReversed()) {
    const parts = message.parts.filter((part) => part.type !== "text" || isSubstance(part));
    const leads = isBareReasoning(message) && kept.at(-1)?.role === "assistant";
    if (!leads && !parts.some(isSubstance)) {
      const reasoning = isBareReasoning(message);
      const what = reasoning ? "reasoning without anything after it" : "a message with nothing to say";
      report({
        code: reasoning ? "dropped-reasoning" : "dropped-empty",
        messageId: message.id,
        text: `${what} was left out`,
      });
    } else if (parts.length === message.parts.length) {
      kept.push(message);
    } else {
      report({
        code: "dropped-empty",
        messageId: message.id,
        text: "a text without a word was left out",
      });
      kept.push({ ...message, parts });
    }
  }
  return kept.toReversed();
}

function mergeTurns(messages: readonly Message[], report: Report): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    if (before === undefined || !isSameTurn(before, message)) {
      merged.push(message);
      continue;
    }
    report({
      code: "merged",
      messageId: message.id,
      text: `joined with ${before.role} message ${before.id} before it`,
    });
    const { tokens: _, ...rest } = before;
    merged[merged.length - 1] = {
      ...rest,
      parts: [...before.parts, ...message.parts],
    };
  }
  return merged;
}

function beginWithUser(messages: readonly Message[], report: Report): readonly Message[] {
  const start = messages.findIndex((message) => message.role !== "system");
  const first = messages[start];
  if (first === undefined || first.role === "user") return messages;
  const id = `${first.id}~opening`;
  report({
    code: "added-opening",
    messageId: first.id,
    text: "an opening by the user was put before it",
  });
  const { sessionId, createdAt } = first;
  const parts = [syntheticText(`${id}.0`, "(The conversation begins here.)")];
  return messages.toSpliced(start, 0, {
    id,
    sessionId,
    createdAt,
    role: "user",
    parts,
  });
}
