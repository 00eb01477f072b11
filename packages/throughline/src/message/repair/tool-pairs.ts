import type { Message } from "../message.ts";
import type { Part, ToolResultPart } from "../part.ts";
import { sameJson } from "../read-json.ts";
import { findToolPairs, type PlacedCall, type ToolPairs } from "../tool-pairs.ts";
import { isWellPlaced, needsResult } from "../validate-window.ts";
import { type Repair, type Report, toldBy } from "./repair.ts";

/** What a repair has to do with single parts, and what has to be added behind a message. */
interface Plan {
  /** Parts that leave their place. */
  readonly leaving: ReadonlySet<Part>;
  /** Results that come in directly behind the message with that index. */
  readonly arriving: ReadonlyMap<number, readonly ToolResultPart[]>;
  /** Results that are told as text because no call fits them. */
  readonly told: ReadonlySet<Part>;
}

/** Brings each result directly behind its call, adds those that are missing, and tells the rest as text. */
export function repairToolPairs(messages: readonly Message[], report: Report): readonly Message[] {
  const pairs = findToolPairs(messages);
  const plan = makePlan(messages, pairs, report);
  if (plan.leaving.size === 0 && plan.arriving.size === 0) return messages;
  const repaired: Message[] = [];
  let told: Part[] = [];
  const tell = (before: Message) => {
    if (told.length === 0) return;
    const { sessionId, createdAt } = before;
    repaired.push({
      id: `${before.id}~told`,
      sessionId,
      createdAt,
      role: "user",
      parts: told,
    });
    told = [];
  };
  messages.forEach((message, m) => {
    const before = repaired.at(-1);
    // Text between a call and its results would tear them apart, so it waits for the end of the results.
    if (message.role !== "tool" && before !== undefined) tell(before);
    const parts = message.parts.filter((part) => !plan.leaving.has(part));
    if (parts.length > 0 || message.parts.length === 0)
      repaired.push(parts.length === message.parts.length ? message : { ...message, parts });
    for (const part of message.parts)
      if (part.type === "tool-result" && plan.told.has(part)) told.push(toldBy("user", part));
    const arriving = plan.arriving.get(m);
    if (arriving === undefined) return;
    const { sessionId, createdAt } = message;
    repaired.push({
      id: `${message.id}~results`,
      sessionId,
      createdAt,
      role: "tool",
      parts: arriving,
    });
  });
  const last = repaired.at(-1) ?? messages.at(-1);
  if (last !== undefined) tell(last);
  // Text that was added at the end puts an open approval into the past, and its call then needs a result after all.
  return repairToolPairs(repaired, report);
}

function makePlan(messages: readonly Message[], pairs: ToolPairs, report: Report): Plan {
  const leaving = new Set<Part>();
  const told = new Set<Part>();
  const arriving = new Map<number, ToolResultPart[]>();
  const arrive = (call: PlacedCall, result: ToolResultPart) => {
    const { message } = call.place;
    arriving.set(message, [...(arriving.get(message) ?? []), result]);
  };
  const say = (code: Repair["code"], m: number, text: string) =>
    report({ code, messageId: messages[m]?.id ?? "", text });
  for (const call of pairs.calls) {
    const { message } = call.place;
    if (needsResult(messages, pairs, call)) {
      arrive(call, missingResult(call));
      say("added-result", message, `call "${call.part.toolCallId}" had no result`);
    } else if (call.result && !isWellPlaced(messages, call)) {
      leaving.add(call.result.part);
      arrive(call, call.result.part);
      say("moved-result", message, `the result of call "${call.part.toolCallId}" was moved to it`);
    }
  }
  for (const { place, part } of pairs.orphans) {
    leaving.add(part);
    told.add(part);
    say("told-as-text", place.message, `the result of "${part.toolCallId}", which nobody called, is told as text`);
  }
  const results = new Map(pairs.calls.map(({ part, result }) => [part.toolCallId, result?.part]));
  for (const { place, part } of pairs.duplicates) {
    leaving.add(part);
    const same = sameJson(results.get(part.toolCallId)?.output, part.output);
    if (!same) told.add(part);
    const what = same ? "was left out" : "is told as text";
    say(same ? "dropped-result" : "told-as-text", place.message, `another result of call "${part.toolCallId}" ${what}`);
  }
  for (const part of looseApprovals(messages, pairs)) leaving.add(part);
  for (const message of messages) {
    if (message.parts.some((part) => leaving.has(part) && part.type.startsWith("tool-approval"))) {
      report({
        code: "dropped-approval",
        messageId: message.id,
        text: "an approval without its call was left out",
      });
    }
  }
  return { leaving, arriving, told };
}

/** Requests for calls that are not there, and responses to requests that are not there. */
function looseApprovals(messages: readonly Message[], { calls, approvals }: ToolPairs): Part[] {
  const called = new Set(calls.map((call) => call.part.toolCallId));
  const asked = new Set(
    approvals.filter(({ toolCallId }) => called.has(toolCallId)).map(({ approvalId }) => approvalId),
  );
  return messages.flatMap((message) =>
    message.parts.filter(
      (part) =>
        (part.type === "tool-approval-request" && !called.has(part.toolCallId)) ||
        (part.type === "tool-approval-response" && !asked.has(part.approvalId)),
    ),
  );
}

function missingResult({ part }: PlacedCall): ToolResultPart {
  return {
    id: `${part.id}~result`,
    type: "tool-result",
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    output: {
      type: "error-text",
      value: "No result was recorded for this call.",
    },
  };
}
