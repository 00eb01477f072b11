import { sameJson } from "../../internal/json.ts";
import { indexWindow, isAbandoned, isWellPlaced, needsResult, type WindowIndex } from "../index-window.ts";
import type { Message } from "../message.ts";
import type { Part, ToolResultPart } from "../part.ts";
import type { PlacedCall, PlacedResult, ToolPairs } from "../tool-pairs.ts";
import { callText, type RepairCode, type Report, toldBy } from "./repair.ts";

/** What becomes of one part. */
interface Change {
  /** What stands in its place; nothing where it leaves. */
  readonly instead: readonly Part[];
  /** What is told of it behind the results. */
  readonly told?: Part;
}

/** What a repair of calls and results does to each part and message. Parts go by place: one object may stand twice. */
export class ToolPairPlan {
  readonly #changes = new Map<number, Map<number, Change>>();
  readonly #arriving = new Map<number, ToolResultPart[]>();

  get isEmpty(): boolean {
    return this.#changes.size === 0 && this.#arriving.size === 0;
  }

  change(place: { readonly message: number; readonly part: number }, change: Change): void {
    const changes = this.#changes.get(place.message) ?? new Map<number, Change>();
    this.#changes.set(place.message, changes.set(place.part, change));
  }

  changeAt(message: number, part: number): Change | undefined {
    return this.#changes.get(message)?.get(part);
  }

  /** The result comes in directly behind the message. */
  arrive(message: number, result: ToolResultPart): void {
    const results = this.#arriving.get(message);
    if (results === undefined) this.#arriving.set(message, [result]);
    else results.push(result);
  }

  arrivingAt(message: number): readonly ToolResultPart[] {
    return this.#arriving.get(message) ?? [];
  }
}

type Say = (code: RepairCode, message: number, text: string) => void;

/** Decides what has to be done so that each call has its result beside it. */
export function planToolPairs(messages: readonly Message[], report: Report): ToolPairPlan {
  const index = indexWindow(messages);
  const plan = new ToolPairPlan();
  const say: Say = (code, m, text) => report({ code, messageId: messages[m]?.id ?? "", text });
  for (const call of index.pairs.calls) planCall(plan, index, call, say);
  for (const { place, part } of index.pairs.orphans) {
    plan.change(place, { instead: [], told: toldBy("user", part) });
    say("told-as-text", place.message, `the result of "${part.toolCallId}", which nobody called, is told as text`);
  }
  planDuplicates(plan, index.pairs, say);
  planApprovals(plan, messages, index.pairs, say);
  return plan;
}

function planCall(plan: ToolPairPlan, index: WindowIndex, call: PlacedCall, say: Say): void {
  const { place, part, result } = call;
  if (needsResult(index, call)) {
    plan.arrive(place.message, missingResult(call));
    say("added-result", place.message, `call "${part.toolCallId}" had no result`);
  } else if (isAbandoned(index, call)) {
    plan.change(place, { instead: [callText(part)] });
    const text = `call "${part.toolCallId}", which the provider ran without a result, is told as text`;
    say("told-as-text", place.message, text);
  } else if (result !== undefined && !isWellPlaced(index, call)) {
    moveResult(plan, call, result);
    say("moved-result", place.message, `the result of call "${part.toolCallId}" was moved to it`);
  }
}

/** The provider's own results stand beside the call, ours behind its message. */
function moveResult(plan: ToolPairPlan, { place, part }: PlacedCall, result: PlacedResult): void {
  plan.change(result.place, { instead: [] });
  if (part.providerExecuted !== true) plan.arrive(place.message, result.part);
  else plan.change(place, { instead: [part, { ...result.part, providerExecuted: true }] });
}

function planDuplicates(plan: ToolPairPlan, { calls, duplicates }: ToolPairs, say: Say): void {
  const results = new Map(calls.map(({ part, result }) => [part.toolCallId, result?.part]));
  for (const { place, part } of duplicates) {
    const same = sameJson(results.get(part.toolCallId)?.output, part.output);
    plan.change(place, same ? { instead: [] } : { instead: [], told: toldBy("user", part) });
    const what = same ? "was left out" : "is told as text";
    say(same ? "dropped-result" : "told-as-text", place.message, `another result of call "${part.toolCallId}" ${what}`);
  }
}

/** Requests for calls that are not there, and responses to requests that are not there. */
function planApprovals(plan: ToolPairPlan, messages: readonly Message[], pairs: ToolPairs, say: Say): void {
  const called = new Set(pairs.calls.map((call) => call.part.toolCallId));
  const asked = new Set(
    pairs.approvals.filter(({ toolCallId }) => called.has(toolCallId)).map(({ approvalId }) => approvalId),
  );
  const isLoose = (part: Part) =>
    (part.type === "tool-approval-request" && !called.has(part.toolCallId)) ||
    (part.type === "tool-approval-response" && !asked.has(part.approvalId));
  messages.forEach((message, m) => {
    message.parts.forEach((part, p) => {
      if (isLoose(part)) plan.change({ message: m, part: p }, { instead: [] });
    });
    if (message.parts.some(isLoose)) say("dropped-approval", m, "an approval without its call or request was left out");
  });
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
