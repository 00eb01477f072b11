import type { Message } from "throughline";
import { type Bill, emptyBill, priceRequest, priceSummariser } from "./price-requests.ts";
import type { TurnPolicy } from "./turn-policy.ts";

/** Each message of the assistant was one request: what it was sent under this policy, priced one after the other. */
export async function replaySession(
  sessionId: string,
  messages: readonly Message[],
  policy: TurnPolicy,
  budget: number,
): Promise<Bill> {
  const bill = emptyBill();
  const replay = policy.start(sessionId, budget);
  let before: readonly Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const { window, summariserTokens = 0 } = await replay.next(messages.slice(0, index));
    if (summariserTokens > 0) priceSummariser(bill, summariserTokens);
    priceRequest(bill, before, window, budget);
    before = window;
  }
  return bill;
}

export function addBill(sum: Bill, bill: Bill): void {
  sum.requests += bill.requests;
  sum.cost += bill.cost;
  sum.tokens += bill.tokens;
  sum.read += bill.read;
  sum.summariser += bill.summariser;
  sum.overBudget += bill.overBudget;
}
