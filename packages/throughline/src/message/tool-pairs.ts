import type { Place } from "../errors/input-errors.ts";
import type { ForeignModelMessage } from "./convert/ai-sdk.ts";
import type { Message, Role } from "./message.ts";
import type { Part, ToolCallPart, ToolResultPart } from "./part.ts";
import { toRichWindow } from "./to-rich-window.ts";

export interface PlacedCall {
  readonly place: Required<Place>;
  readonly part: ToolCallPart;
  readonly result: PlacedResult | undefined;
}

export interface PlacedResult {
  readonly place: Required<Place>;
  readonly part: ToolResultPart;
}

/** Matched calls, results and approvals of a list of messages, and unmatched results. */
export interface ToolPairs {
  readonly calls: readonly PlacedCall[];
  /** Results without a preceding call. */
  readonly orphans: readonly PlacedResult[];
  /** Results of a call that already has one. */
  readonly duplicates: readonly PlacedResult[];
  readonly approvals: readonly PlacedApproval[];
}

export interface PlacedApproval {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly request: Required<Place>;
  readonly response: Required<Place> | undefined;
}

interface OpenCall {
  readonly place: Required<Place>;
  readonly part: ToolCallPart;
  result: PlacedResult | undefined;
}

/**
 * Matches tool calls with their results and approvals. A reused id (some local models restart at `call_0` each turn)
 * refers to the nearest preceding call.
 *
 * @param messages Messages in order.
 *
 * @example
 * const unanswered = findToolPairs(messages).calls.filter((call) => call.result === undefined);
 */
export function findToolPairs(messages: readonly Message[]): ToolPairs {
  const calls: OpenCall[] = [];
  const latest = new Map<string, OpenCall>();
  const orphans: PlacedResult[] = [];
  const duplicates: PlacedResult[] = [];
  forEachPart(messages, (part, place) => {
    if (part.type === "tool-call") {
      const call = { place, part, result: undefined };
      calls.push(call);
      latest.set(part.toolCallId, call);
    } else if (part.type === "tool-result") {
      const call = latest.get(part.toolCallId);
      if (call === undefined) orphans.push({ place, part });
      else if (call.result === undefined) call.result = { place, part };
      else duplicates.push({ place, part });
    }
  });
  return { calls, orphans, duplicates, approvals: findApprovals(messages) };
}

function findApprovals(messages: readonly Message[]): PlacedApproval[] {
  const approvals: {
    -readonly [K in keyof PlacedApproval]: PlacedApproval[K];
  }[] = [];
  const latest = new Map<string, (typeof approvals)[number]>();
  forEachPart(messages, (part, place) => {
    if (part.type === "tool-approval-request") {
      const { approvalId, toolCallId } = part;
      const approval = {
        approvalId,
        toolCallId,
        request: place,
        response: undefined,
      };
      approvals.push(approval);
      latest.set(approvalId, approval);
    } else if (part.type === "tool-approval-response") {
      const approval = latest.get(part.approvalId);
      if (approval !== undefined) approval.response ??= place;
    }
  });
  return approvals;
}

function forEachPart(messages: readonly Message[], visit: (part: Part, place: Required<Place>) => void): void {
  messages.forEach((message, m) => {
    message.parts.forEach((part, p) => {
      visit(part, { message: m, part: p });
    });
  });
}

/**
 * Returns the indices at which a list may be cut: for an index `i`, messages before `i` may be removed and messages
 * from `i` on stay. A legal cut never separates a call from its result, an approval request from its response, a
 * pending call at the end from its answer, or reasoning from the message it led to. `0` is always included.
 *
 * @param messages Messages in order.
 *
 * @example
 * const [, firstCut] = legalCutPoints(messages);
 */
export function legalCutPoints(messages: readonly Message[]): number[] {
  // One entry per gap: +1 at the start of a span that must stay whole, -1 after its end. A running sum of 0 is a legal
  // cut.
  const delta = new Array<number>(messages.length + 2).fill(0);
  const keepWhole = (first: number, last: number) => {
    if (last <= first) return;
    delta[first + 1] = (delta[first + 1] ?? 0) + 1;
    delta[last + 1] = (delta[last + 1] ?? 0) - 1;
  };
  const { calls, approvals } = findToolPairs(messages);
  const lastSpoken = messages.findLastIndex((message) => message.role !== "tool");
  const endOf = (from: number, answer: Required<Place> | undefined) =>
    answer?.message ?? (from === lastSpoken ? messages.length : from);
  for (const { place, part, result } of calls) {
    const waits = part.providerExecuted !== true || result !== undefined;
    if (waits) keepWhole(place.message, endOf(place.message, result?.place));
  }
  for (const { toolCallId, request, response } of approvals) {
    // The call may be in an earlier message.
    const approvedCall = calls.findLast(
      ({ part, place }) => part.toolCallId === toolCallId && place.message <= request.message,
    );
    keepWhole(approvedCall?.place.message ?? request.message, endOf(request.message, response));
  }
  messages.forEach((message, i) => {
    if (isBareReasoning(message) && messages[i + 1]?.role === "assistant") keepWhole(i, i + 1);
  });
  let spans = 0;
  return delta.slice(0, messages.length + 1).flatMap((change, i) => {
    spans += change;
    return i === 0 || (spans === 0 && messages[i]?.role !== "tool") ? [i] : [];
  });
}

/**
 * Returns the nearest legal cut at or before a boundary, so that no result loses its call.
 *
 * @param messages Throughline messages, AI SDK messages, or a mix of both, in order.
 * @param initialBoundary Index of the first message to keep.
 *
 * @example
 * const recent = messages.slice(adjustBoundaryForToolPairs(messages, messages.length - 10));
 */
export function adjustBoundaryForToolPairs(
  messages: readonly (Message | ForeignModelMessage)[],
  initialBoundary: number,
): number {
  return legalCutPoints(toRichWindow(messages)).findLast((cut) => cut <= initialBoundary) ?? 0;
}

/** True for a message with nothing but reasoning. Providers refuse it if nothing follows. */
function isBareReasoning(message: Message): boolean {
  return (
    message.role === "assistant" &&
    message.parts.some((part) => part.type === "reasoning") &&
    message.parts.every((part) => ["reasoning", "reasoning-file", "step-start"].includes(part.type))
  );
}

/** Lookup tables for the rules about tool calls, computed once per window. */
export interface WindowIndex {
  readonly pairs: ToolPairs;
  readonly roles: readonly Role[];
  /** Index of the last message that is not a tool message; -1 if there is none. */
  readonly lastSpoken: number;
  /** For each message: index of the last non-tool message up to it; -1 if there is none. */
  readonly spokenBefore: readonly number[];
  /** For each message: number of user messages up to it. */
  readonly turns: readonly number[];
  /** Call id → index of the last message that requests or answers its approval. */
  readonly lastApproval: ReadonlyMap<string, number>;
}

export function indexWindow(messages: readonly Message[]): WindowIndex {
  const pairs = findToolPairs(messages);
  const spokenBefore: number[] = [];
  const turns: number[] = [];
  let lastSpoken = -1;
  let turn = 0;
  messages.forEach(({ role }, m) => {
    if (role !== "tool") lastSpoken = m;
    if (role === "user") turn += 1;
    spokenBefore.push(lastSpoken);
    turns.push(turn);
  });
  const lastApproval = new Map<string, number>();
  for (const { toolCallId, request, response } of pairs.approvals) {
    const at = (response ?? request).message;
    lastApproval.set(toolCallId, Math.max(at, lastApproval.get(toolCallId) ?? -1));
  }
  return { pairs, roles: messages.map(({ role }) => role), lastSpoken, spokenBefore, turns, lastApproval };
}

/**
 * True if a result must follow the call. Not for calls that the provider ran, nor for calls whose approval is still
 * pending.
 */
export function needsResult({ lastSpoken, lastApproval }: WindowIndex, { part, result }: PlacedCall): boolean {
  if (result !== undefined || part.providerExecuted === true) return false;
  const approval = lastApproval.get(part.toolCallId);
  return approval === undefined || approval < lastSpoken;
}

/** True for a call that the provider ran and that has no result, although the conversation went on. */
export function isAbandoned({ lastSpoken }: WindowIndex, { place, part, result }: PlacedCall): boolean {
  return part.providerExecuted === true && result === undefined && place.message < lastSpoken;
}

/**
 * True if the result is at a legal position. Results belong in the tool messages that directly follow the call. Results
 * of calls that the provider ran belong in an assistant message before the next user message; only a denial comes in a
 * tool message.
 */
export function isWellPlaced(index: WindowIndex, { place, part, result }: PlacedCall): boolean {
  if (result === undefined) return true;
  const { roles, turns, spokenBefore } = index;
  const at = result.place.message;
  const provided = part.providerExecuted === true;
  if (provided && roles[at] === "assistant") return turns[at] === turns[place.message];
  if (provided && result.part.output.type !== "execution-denied") return false;
  return roles[at] === "tool" && at > place.message && (spokenBefore[at] ?? -1) <= place.message;
}
