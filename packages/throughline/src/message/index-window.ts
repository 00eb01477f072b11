import type { Message, Role } from "./message.ts";
import { findToolPairs, type PlacedCall, type ToolPairs } from "./tool-pairs.ts";

/** What the rules about calls ask of a window again and again, found once. */
export interface WindowIndex {
  readonly pairs: ToolPairs;
  readonly roles: readonly Role[];
  /** The last message that is not a tool's; -1 where there is none. */
  readonly lastSpoken: number;
  /** For each message the last one up to it that is not a tool's; -1 where there is none. */
  readonly spokenBefore: readonly number[];
  /** For each message how many of the user's there are up to it. */
  readonly turns: readonly number[];
  /** By the id of a call, the last message that asks for its approval or answers it. */
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

/** A call that the provider ran itself needs none, nor does one whose approval nobody has spoken after. */
export function needsResult({ lastSpoken, lastApproval }: WindowIndex, { part, result }: PlacedCall): boolean {
  if (result !== undefined || part.providerExecuted === true) return false;
  const approval = lastApproval.get(part.toolCallId);
  return approval === undefined || approval < lastSpoken;
}

/** A call that the provider ran itself, without its result though the conversation has gone on. */
export function isAbandoned({ lastSpoken }: WindowIndex, { place, part, result }: PlacedCall): boolean {
  return part.providerExecuted === true && result === undefined && place.message < lastSpoken;
}

/**
 * Results stand in the tool messages that directly follow the call. What the provider ran itself it also answers itself,
 * in what the assistant says before the user's next word; only that it was denied is told by the tool's side.
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
