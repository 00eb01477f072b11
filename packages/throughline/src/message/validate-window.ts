import { describePlace, type Place } from "../errors/place.ts";
import type { ForeignModelMessage } from "./convert/ai-sdk.ts";
import {
  isAllowedIn,
  isSameTurn,
  isSubstance,
  PROVIDER_RULES,
  type Provider,
  type ProviderRules,
} from "./legality-rules.ts";
import type { Message } from "./message.ts";
import { toRichWindow } from "./to-rich-window.ts";
import { findToolPairs, type PlacedCall, type ToolPairs } from "./tool-pairs.ts";

export type ViolationCode =
  | "orphan-result"
  | "missing-result"
  | "misplaced-result"
  | "duplicate-result"
  | "duplicate-call-id"
  | "bad-call-id"
  | "orphan-approval"
  | "misplaced-part"
  | "empty-message"
  | "empty-text"
  | "first-not-user"
  | "not-alternating"
  | "system-not-first";

/** One reason for which a provider would refuse a window. */
export interface Violation extends Place {
  readonly code: ViolationCode;
  /** For people: `message 12, part 3: tool result without call "x"`. */
  readonly text: string;
}

/**
 * Says why a provider would refuse these messages; an empty list means that it would not. Takes Throughline's own
 * messages and the AI SDK's.
 *
 * @example
 * const violations = validateWindow(messages, "anthropic");
 */
export function validateWindow(messages: readonly (Message | ForeignModelMessage)[], provider: Provider): Violation[] {
  const rules = PROVIDER_RULES[provider];
  if (rules === undefined) throw new RangeError(`Unknown provider "${provider}": openai, anthropic or gemini.`);
  const window = toRichWindow(messages);
  const pairs = findToolPairs(window);
  return [
    ...checkContents(window, rules),
    ...checkOrder(window, rules),
    ...checkResults(window, pairs),
    ...checkIds(pairs, rules),
    ...checkApprovals(window, pairs),
  ].sort((a, b) => a.message - b.message || (a.part ?? -1) - (b.part ?? -1));
}

function violation(code: ViolationCode, place: Place, problem: string): Violation {
  return { code, ...place, text: `${describePlace(place)}: ${problem}` };
}

function checkContents(messages: readonly Message[], rules: ProviderRules): Violation[] {
  return messages.flatMap((message, m) => {
    if (!message.parts.some(isSubstance)) {
      const reasoning = message.parts.some((part) => part.type === "reasoning");
      const what = reasoning ? "nothing but reasoning" : "nothing to say";
      return [violation("empty-message", { message: m }, `the ${message.role} message has ${what}`)];
    }
    return message.parts.flatMap((part, p) => {
      const place = { message: m, part: p };
      if (!isAllowedIn(message.role, part)) {
        return [violation("misplaced-part", place, `a ${part.type} does not belong in a ${message.role} message`)];
      }
      const blank = part.type === "text" && !isSubstance(part);
      return blank && rules === PROVIDER_RULES.anthropic
        ? [violation("empty-text", place, `${rules.name} refuses a text without a word`)]
        : [];
    });
  });
}

function checkOrder(messages: readonly Message[], rules: ProviderRules): Violation[] {
  const found: Violation[] = [];
  const first = messages.findIndex((message) => message.role !== "system");
  if (rules.firstIsUser && first >= 0 && messages[first]?.role !== "user") {
    const problem = `${rules.name} wants the user to begin, not the ${messages[first]?.role}`;
    found.push(violation("first-not-user", { message: first }, problem));
  }
  messages.forEach((message, m) => {
    if (rules.systemOnlyFirst && message.role === "system" && first >= 0 && m > first) {
      found.push(
        violation("system-not-first", { message: m }, `${rules.name} takes system messages only at the start`),
      );
    }
    if (rules.alternates && isSameTurn(messages[m - 1], message)) {
      const problem = `two ${message.role} messages in a row, which ${rules.name} does not take everywhere`;
      found.push(violation("not-alternating", { message: m }, problem));
    }
  });
  return found;
}

function checkResults(messages: readonly Message[], pairs: ToolPairs): Violation[] {
  const { calls, orphans, duplicates } = pairs;
  return [
    ...orphans.map(({ place, part }) =>
      violation("orphan-result", place, `tool result without call "${part.toolCallId}"`),
    ),
    ...duplicates.map(({ place, part }) =>
      violation("duplicate-result", place, `another result for call "${part.toolCallId}"`),
    ),
    ...calls.flatMap((call) => {
      const { toolCallId } = call.part;
      if (needsResult(messages, pairs, call)) {
        return [violation("missing-result", call.place, `call "${toolCallId}" has no result`)];
      }
      if (call.result === undefined || isWellPlaced(messages, call)) return [];
      return [
        violation("misplaced-result", call.result.place, `the result does not directly follow call "${toolCallId}"`),
      ];
    }),
  ];
}

/** A call that the provider ran itself needs none, nor does one whose approval nobody has spoken after. */
export function needsResult(messages: readonly Message[], { approvals }: ToolPairs, call: PlacedCall): boolean {
  if (call.result !== undefined || call.part.providerExecuted === true) return false;
  const lastSpoken = messages.findLastIndex((message) => message.role !== "tool");
  return !approvals.some(
    ({ toolCallId, request, response }) =>
      toolCallId === call.part.toolCallId && (response ?? request).message >= lastSpoken,
  );
}

/** Results stand in the tool messages that directly follow the call; those of the provider where it put them. */
export function isWellPlaced(messages: readonly Message[], { place, part, result }: PlacedCall): boolean {
  if (result === undefined || part.providerExecuted === true) return true;
  let next = place.message + 1;
  while (next < result.place.message && messages[next]?.role === "tool") next += 1;
  return next === result.place.message && messages[next]?.role === "tool";
}

function checkIds({ calls }: ToolPairs, rules: ProviderRules): Violation[] {
  const seen = new Set<string>();
  return calls.flatMap(({ place, part: { toolCallId } }) => {
    const found: Violation[] = [];
    if (seen.has(toolCallId)) found.push(violation("duplicate-call-id", place, `id "${toolCallId}" is used again`));
    if (rules.toolCallId !== undefined && !rules.toolCallId.test(toolCallId)) {
      found.push(violation("bad-call-id", place, `${rules.name} does not take the id "${toolCallId}"`));
    }
    seen.add(toolCallId);
    return found;
  });
}

function checkApprovals(messages: readonly Message[], { calls, approvals }: ToolPairs): Violation[] {
  const called = new Set(calls.map((call) => call.part.toolCallId));
  const asked = new Set(approvals.map((approval) => approval.approvalId));
  const unasked = messages.flatMap((message, m) =>
    message.parts.flatMap((part, p) =>
      part.type === "tool-approval-response" && !asked.has(part.approvalId)
        ? [violation("orphan-approval", { message: m, part: p }, `no request for approval "${part.approvalId}"`)]
        : [],
    ),
  );
  const uncalled = approvals
    .filter((approval) => !called.has(approval.toolCallId))
    .map(({ request, toolCallId }) =>
      violation("orphan-approval", request, `approval asked for call "${toolCallId}", which is not there`),
    );
  return [...unasked, ...uncalled];
}
