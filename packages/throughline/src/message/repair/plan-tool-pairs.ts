import { isRecord, sameJson } from "../../internal/json.ts";
import { PORTABLE_TOOL_NAME } from "../legality-rules.ts";
import type { Message } from "../message.ts";
import type { Part, ToolCallPart, ToolResultPart } from "../part.ts";
import {
  indexWindow,
  isAbandoned,
  isWellPlaced,
  needsResult,
  type PlacedCall,
  type PlacedResult,
  type ToolPairs,
  type WindowIndex,
} from "../tool-pairs.ts";
import { callText, partForRole, type RepairCode, type RepairDeps, type Report, withChangedParts } from "./repair.ts";

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
  const requestedApprovals = new Set(
    pairs.approvals.filter(({ toolCallId }) => called.has(toolCallId)).map(({ approvalId }) => approvalId),
  );
  const isLoose = (part: Part) =>
    (part.type === "tool-approval-request" && !called.has(part.toolCallId)) ||
    (part.type === "tool-approval-response" && !requestedApprovals.has(part.approvalId));
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

/**
 * Wraps inputs that are not objects and renames tools whose names some providers refuse, in calls and results alike. An
 * approval covers the original call (possibly by a signature over name and input), so approvals of changed calls are
 * dropped.
 */
export function repairCallContents(messages: readonly Message[], { report }: RepairDeps): readonly Message[] {
  const calls = new Map(messages.flatMap(({ parts }) => parts.filter(isCall).map((call) => [call.toolCallId, call])));
  const isVoid = voidApprovals(calls);
  const renamed = new Set<string>();
  return messages.flatMap((message) => {
    const add = (code: RepairCode, text: string) => report({ code, messageId: message.id, text });
    const parts = message.parts.flatMap((part): Part | readonly Part[] => {
      if (isVoid(part)) {
        add("dropped-approval", "dropped an approval because its call had to be changed");
        return [];
      }
      if (!isCall(part) && part.type !== "tool-result") return part;
      const edited = isCall(part) ? editCall(part) : editResult(part, calls.get(part.toolCallId));
      if (edited.toolName !== part.toolName && !renamed.has(part.toolName)) {
        renamed.add(part.toolName);
        add("renamed-tool", `renamed tool "${part.toolName}" to "${edited.toolName}"`);
      }
      if (isCall(part) && !isRecord(part.input)) {
        add("wrapped-input", `wrapped the input of call "${part.toolCallId}" in an object`);
      }
      return edited;
    });
    const isUsedUp = parts.length === 0 && message.parts.length > 0;
    return isUsedUp ? [] : [withChangedParts(message, parts)];
  });
}

/** Returns a predicate for approvals whose call changes. Call it in order: a response belongs to the latest request. */
function voidApprovals(calls: ReadonlyMap<string, ToolCallPart>): (part: Part) => boolean {
  const requests = new Map<string, boolean>();
  return (part) => {
    if (part.type === "tool-approval-response") return requests.get(part.approvalId) === true;
    if (part.type !== "tool-approval-request") return false;
    const call = calls.get(part.toolCallId);
    const isChanged = call !== undefined && editCall(call) !== call;
    requests.set(part.approvalId, isChanged);
    return isChanged;
  };
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === "tool-call";
}

/** Keeps the name of a tool that the provider runs. */
function editCall(call: ToolCallPart): ToolCallPart {
  const toolName = call.providerExecuted === true ? call.toolName : portableName(call.toolName);
  if (toolName === call.toolName && isRecord(call.input)) return call;
  const { tokens: _, ...rest } = isRecord(call.input) ? call : asFunction(call);
  return { ...rest, toolName, input: wrapped(call.input) };
}

function editResult(result: ToolResultPart, call: ToolCallPart | undefined): ToolResultPart {
  const provided = call?.providerExecuted === true || result.providerExecuted === true;
  const toolName = provided ? result.toolName : portableName(result.toolName);
  const answer = call === undefined || isRecord(call.input) ? result : asFunction(result);
  return toolName === result.toolName ? answer : { ...answer, toolName };
}

/** OpenAI's custom tools take only text. With an object as input the call becomes a function call. */
function asFunction<P extends ToolCallPart | ToolResultPart>(part: P): P {
  if (part.foreign?.form?.startsWith("custom_tool_call") !== true) return part;
  // The provider options still name the custom item.
  const { foreign: _, providerOptions: __, ...rest } = part;
  return rest as P;
}

function wrapped(input: unknown): unknown {
  if (isRecord(input)) return input;
  return input === undefined || input === null ? {} : { input };
}

function portableName(name: string): string {
  return PORTABLE_TOOL_NAME.test(name) ? name : name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "tool";
}
