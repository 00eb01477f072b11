import { describePlace, type Place, UnknownProviderError } from "../errors/input-errors.ts";
import { isRecord } from "../internal/json.ts";
import { findCacheMarks, MAX_CACHE_MARKS } from "./cache-marks.ts";
import type { ForeignModelMessage } from "./convert/ai-sdk.ts";
import {
  isAllowedIn,
  isSameTurn,
  isSubstance,
  PROVIDER_RULES,
  PROVIDERS,
  type Provider,
  type ProviderRules,
} from "./legality-rules.ts";
import type { Message } from "./message.ts";
import { toRichWindow } from "./to-rich-window.ts";
import {
  indexWindow,
  isAbandoned,
  isWellPlaced,
  needsResult,
  type PlacedCall,
  type ToolPairs,
  type WindowIndex,
} from "./tool-pairs.ts";

export type ViolationCode =
  | "empty-window"
  | "orphan-result"
  | "missing-result"
  | "misplaced-result"
  | "duplicate-result"
  | "duplicate-call-id"
  | "bad-call-id"
  | "bad-tool-name"
  | "bad-input"
  | "orphan-approval"
  | "misplaced-part"
  | "empty-message"
  | "empty-text"
  | "first-not-user"
  | "not-alternating"
  | "system-not-first"
  | "too-many-cache-marks";

/** One reason for which a provider would refuse a window: its place as indexes of message and part, and its text. */
export interface Violation extends Place {
  readonly code: ViolationCode;
  /** Human-readable: `message 12, part 3: tool result without call "x"`. */
  readonly text: string;
}

/**
 * Lists the reasons for which a provider would refuse a list of messages. An empty list means that the window is legal.
 *
 * @param messages Throughline messages, AI SDK messages, or a mix of both.
 * @param provider Provider whose rules apply: `openai`, `anthropic` or `gemini`.
 * @throws UnknownProviderError if the provider is none of these.
 *
 * @example
 * for (const { code, text } of validateWindow(messages, "anthropic")) console.error(code, text);
 */
export function validateWindow(messages: readonly (Message | ForeignModelMessage)[], provider: Provider): Violation[] {
  if (!PROVIDERS.includes(provider)) throw new UnknownProviderError(provider, PROVIDERS);
  const rules = PROVIDER_RULES[provider];
  const window = toRichWindow(messages);
  return [
    ...checkContents(window, rules),
    ...checkOrder(window, rules),
    ...checkToolCalls(window, indexWindow(window), rules),
    ...checkCacheMarks(window, rules),
  ].sort((a, b) => a.message - b.message || (a.part ?? -1) - (b.part ?? -1));
}

function checkContents(messages: readonly Message[], rules: ProviderRules): Violation[] {
  return messages.flatMap((message, m) => {
    if (!message.parts.some((part) => isSubstance(part, rules.opaque))) {
      const reasoning = message.parts.some((part) => part.type === "reasoning");
      const what = reasoning ? "nothing but reasoning" : "no content";
      return [violation("empty-message", { message: m }, `the ${message.role} message has ${what}`)];
    }
    return message.parts.flatMap((part, p) => {
      const place = { message: m, part: p };
      if (!isAllowedIn(message.role, part)) {
        return [violation("misplaced-part", place, `a ${part.type} does not belong in a ${message.role} message`)];
      }
      const blank = part.type === "text" && part.text.trim() === "";
      return blank && rules === PROVIDER_RULES.anthropic
        ? [violation("empty-text", place, `${rules.name} refuses blank text`)]
        : [];
    });
  });
}

function checkOrder(messages: readonly Message[], rules: ProviderRules): Violation[] {
  const found: Violation[] = [];
  const first = messages.findIndex((message) => message.role !== "system");
  if (first < 0) {
    const what = messages.length === 0 ? "the window has no messages" : "the window has only system messages";
    return [violation("empty-window", { message: 0 }, `${what}, so ${rules.name} has nothing to answer`)];
  }
  if (rules.firstIsUser && messages[first]?.role !== "user") {
    const problem = `${rules.name} requires a user message first, not one of the ${messages[first]?.role}`;
    found.push(violation("first-not-user", { message: first }, problem));
  }
  messages.forEach((message, m) => {
    if (rules.systemOnlyFirst && message.role === "system" && m > first) {
      found.push(
        violation("system-not-first", { message: m }, `${rules.name} accepts system messages only at the start`),
      );
    }
    if (rules.alternates && isSameTurn(messages[m - 1], message)) {
      const problem = `two ${message.role} messages in a row, which some ${rules.name} endpoints refuse`;
      found.push(violation("not-alternating", { message: m }, problem));
    }
  });
  return found;
}

function checkCacheMarks(messages: readonly Message[], rules: ProviderRules): Violation[] {
  const marks = rules === PROVIDER_RULES.anthropic ? findCacheMarks(messages) : [];
  return marks.slice(MAX_CACHE_MARKS).map(({ message, part }) => {
    const place = part === undefined ? { message } : { message, part };
    return violation("too-many-cache-marks", place, `${rules.name} accepts at most ${MAX_CACHE_MARKS} cache marks`);
  });
}

/** Lists the violations that concern tool calls, their results and their approvals. */
function checkToolCalls(messages: readonly Message[], index: WindowIndex, rules: ProviderRules): Violation[] {
  const { pairs } = index;
  return [
    ...checkResults(index, rules),
    ...checkIds(pairs, rules),
    ...pairs.calls.flatMap((call) => [...checkInput(call, rules), ...checkNames(call, rules)]),
    ...checkApprovals(messages, pairs),
  ];
}

function checkResults(index: WindowIndex, rules: ProviderRules): Violation[] {
  const { calls, orphans, duplicates } = index.pairs;
  return [
    ...orphans.map(({ place, part }) =>
      violation("orphan-result", place, `tool result without call "${part.toolCallId}"`),
    ),
    ...duplicates.map(({ place, part }) =>
      violation("duplicate-result", place, `second result for call "${part.toolCallId}"`),
    ),
    ...calls.flatMap((call) => checkResult(index, call, rules)),
  ];
}

function checkResult(index: WindowIndex, call: PlacedCall, rules: ProviderRules): Violation[] {
  const { toolCallId } = call.part;
  if (needsResult(index, call)) {
    return [violation("missing-result", call.place, `call "${toolCallId}" has no result`)];
  }
  if (rules.wantsProvidedResult && isAbandoned(index, call)) {
    const problem = `call "${toolCallId}", which the provider ran, has no result`;
    return [violation("missing-result", call.place, problem)];
  }
  if (call.result === undefined || isWellPlaced(index, call)) return [];
  const problem =
    call.part.providerExecuted === true
      ? `the result is not next to call "${toolCallId}", which the provider ran`
      : `the result does not directly follow call "${toolCallId}"`;
  return [violation("misplaced-result", call.result.place, problem)];
}

function checkIds({ calls }: ToolPairs, rules: ProviderRules): Violation[] {
  const seen = new Set<string>();
  return calls.flatMap(({ place, part: { toolCallId } }) => {
    const found: Violation[] = [];
    if (seen.has(toolCallId)) found.push(violation("duplicate-call-id", place, `id "${toolCallId}" is used again`));
    if (rules.toolCallId !== undefined && !rules.toolCallId.test(toolCallId)) {
      found.push(violation("bad-call-id", place, `${rules.name} does not accept the id "${toolCallId}"`));
    }
    seen.add(toolCallId);
    return found;
  });
}

function checkInput({ place, part }: PlacedCall, rules: ProviderRules): Violation[] {
  if (!rules.wantsObjectInput || isRecord(part.input)) return [];
  return [violation("bad-input", place, `${rules.name} requires an object as input of call "${part.toolCallId}"`)];
}

/** Names of tools that the provider runs are not checked: the provider chose them. */
function checkNames({ place, part, result }: PlacedCall, rules: ProviderRules): Violation[] {
  if (part.providerExecuted === true) return [];
  const named = [{ place, part }, ...(rules.namesResults && result !== undefined ? [result] : [])];
  return named
    .filter((thing) => !rules.toolName.test(thing.part.toolName))
    .map((thing) =>
      violation("bad-tool-name", thing.place, `${rules.name} does not accept the tool name "${thing.part.toolName}"`),
    );
}

function checkApprovals(messages: readonly Message[], { calls, approvals }: ToolPairs): Violation[] {
  const called = new Set(calls.map((call) => call.part.toolCallId));
  const requestedApprovals = new Set(approvals.map((approval) => approval.approvalId));
  const unasked = messages.flatMap((message, m) =>
    message.parts.flatMap((part, p) =>
      part.type === "tool-approval-response" && !requestedApprovals.has(part.approvalId)
        ? [violation("orphan-approval", { message: m, part: p }, `no request for approval "${part.approvalId}"`)]
        : [],
    ),
  );
  const uncalled = approvals
    .filter((approval) => !called.has(approval.toolCallId))
    .map(({ request, toolCallId }) =>
      violation("orphan-approval", request, `approval request for a missing call "${toolCallId}"`),
    );
  return [...unasked, ...uncalled];
}

function violation(code: ViolationCode, place: Place, problem: string): Violation {
  return { code, ...place, text: `${describePlace(place)}: ${problem}` };
}
