import type { Message, Role } from "./message.ts";
import { findToolPairs, type PlacedCall, type ToolPairs } from "./tool-pairs.ts";

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
