import { sameJson } from "../../internal/json.ts";
import { indexWindow, isAbandoned, isWellPlaced, needsResult, type WindowIndex } from "../index-window.ts";
import type { Message } from "../message.ts";
import type { Part, ToolResultPart } from "../part.ts";
import type { PlacedCall, PlacedResult, ToolPairs } from "../tool-pairs.ts";
import { callText, partForRole, type RepairCode, type Report } from "./repair.ts";

/** Planned change of one part. */
interface Change {
  /** Replacement parts; empty to remove the part. */
  readonly instead: readonly Part[];
  /** Text version of the part, inserted after the results. */
  readonly asText?: Part;
}

/** Planned changes per part and message. Parts are keyed by position, because one object may occur twice. */
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

  /** Inserts the result directly after the message. */
  arrive(message: number, result: ToolResultPart): void {
    const results = this.#arriving.get(message);
    if (results === undefined) this.#arriving.set(message, [result]);
    else results.push(result);
  }

  arrivingAt(message: number): readonly ToolResultPart[] {
    return this.#arriving.get(message) ?? [];
  }
}

type AddRepair = (code: RepairCode, message: number, text: string) => void;

/** Plans the changes that put each result beside its call. */
export function planToolPairs(messages: readonly Message[], report: Report): ToolPairPlan {
  const index = indexWindow(messages);
  const plan = new ToolPairPlan();
  const add: AddRepair = (code, m, text) => report({ code, messageId: messages[m]?.id ?? "", text });
  for (const call of index.pairs.calls) planCall(plan, index, call, add);
  for (const { place, part } of index.pairs.orphans) {
    plan.change(place, { instead: [], asText: partForRole("user", part) });
    add("kept-as-text", place.message, `result of "${part.toolCallId}" has no call; kept as text`);
  }
  planDuplicates(plan, index.pairs, add);
  planApprovals(plan, messages, index.pairs, add);
  return plan;
}

function planCall(plan: ToolPairPlan, index: WindowIndex, call: PlacedCall, add: AddRepair): void {
  const { place, part, result } = call;
  if (needsResult(index, call)) {
    plan.arrive(place.message, missingResult(call));
    add("added-result", place.message, `call "${part.toolCallId}" had no result`);
  } else if (isAbandoned(index, call)) {
    plan.change(place, { instead: [callText(part)] });
    const text = `call "${part.toolCallId}" of the provider has no result; kept as text`;
    add("kept-as-text", place.message, text);
  } else if (result !== undefined && !isWellPlaced(index, call)) {
    moveResult(plan, call, result);
    add("moved-result", place.message, `moved the result of call "${part.toolCallId}" next to the call`);
  }
}

/** Results of calls that the provider ran go beside the call; other results go after its message. */
function moveResult(plan: ToolPairPlan, { place, part }: PlacedCall, result: PlacedResult): void {
  plan.change(result.place, { instead: [] });
  if (part.providerExecuted !== true) plan.arrive(place.message, result.part);
  else plan.change(place, { instead: [part, { ...result.part, providerExecuted: true }] });
}

function planDuplicates(plan: ToolPairPlan, { calls, duplicates }: ToolPairs, add: AddRepair): void {
  const results = new Map(calls.map(({ part, result }) => [part.toolCallId, result?.part]));
  for (const { place, part } of duplicates) {
    const same = sameJson(results.get(part.toolCallId)?.output, part.output);
    plan.change(place, same ? { instead: [] } : { instead: [], asText: partForRole("user", part) });
    const action = same ? "dropped" : "kept as text";
    add(
      same ? "dropped-result" : "kept-as-text",
      place.message,
      `second result of call "${part.toolCallId}" ${action}`,
    );
  }
}

/** Removes approval requests without a call and responses without a request. */
function planApprovals(plan: ToolPairPlan, messages: readonly Message[], pairs: ToolPairs, add: AddRepair): void {
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
    if (message.parts.some(isLoose)) add("dropped-approval", m, "dropped an approval without its call or request");
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
