import type { Message } from "../message.ts";
import type { Part } from "../part.ts";
import { planToolPairs, type ToolPairPlan } from "./plan-tool-pairs.ts";
import { besideMessage, type RepairContext, withChangedParts } from "./repair.ts";

/** Brings each result directly behind its call, adds those that are missing, and tells the rest as text. */
export function repairToolPairs(messages: readonly Message[], context: RepairContext): readonly Message[] {
  const plan = planToolPairs(messages, context.report);
  if (plan.isEmpty) return messages;
  // Text that was added at the end puts an open approval into the past, and its call then needs a result after all.
  return repairToolPairs(carryOut(plan, messages, context), context);
}

function carryOut(plan: ToolPairPlan, messages: readonly Message[], { freeId }: RepairContext): readonly Message[] {
  const repaired: Message[] = [];
  let told: Part[] = [];
  const tell = (before: Message | undefined) => {
    if (told.length === 0 || before === undefined) return;
    repaired.push(besideMessage(before, freeId(`${before.id}~told`), "user", told));
    told = [];
  };
  messages.forEach((message, m) => {
    // Text between a call and its results would tear them apart, so it waits for the end of the results.
    if (message.role !== "tool") tell(repaired.at(-1));
    const parts = message.parts.flatMap((part, p) => plan.changeAt(m, p)?.instead ?? [part]);
    if (parts.length > 0 || message.parts.length === 0) repaired.push(withChangedParts(message, parts));
    message.parts.forEach((_, p) => {
      const change = plan.changeAt(m, p);
      if (change?.told !== undefined) told.push(change.told);
    });
    const arriving = plan.arrivingAt(m);
    if (arriving.length > 0) repaired.push(besideMessage(message, freeId(`${message.id}~results`), "tool", arriving));
  });
  tell(repaired.at(-1) ?? messages.at(-1));
  return repaired;
}
