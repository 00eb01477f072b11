import { isRecord } from "../internal/json.ts";
import { isAbandoned, isWellPlaced, needsResult, type WindowIndex } from "./index-window.ts";
import type { ProviderRules } from "./legality-rules.ts";
import type { Message } from "./message.ts";
import type { PlacedCall, ToolPairs } from "./tool-pairs.ts";
import { type Violation, violation } from "./violation.ts";

/** Lists the violations that concern tool calls, their results and their approvals. */
export function checkToolCalls(messages: readonly Message[], index: WindowIndex, rules: ProviderRules): Violation[] {
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
      violation("orphan-approval", request, `approval request for a missing call "${toolCallId}"`),
    );
  return [...unasked, ...uncalled];
}
