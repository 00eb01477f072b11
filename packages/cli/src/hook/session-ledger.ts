import { EMPTY_LEDGER, type Ledger, reduceLedger } from "throughline/compact";
import { counterFor } from "throughline/tokens";
import { ledgerBlock } from "../integrations/ledger-block.ts";
import type { HookInput } from "./hook-input.ts";
import { readSession } from "./read-session.ts";

/** What the session asked for and did, in at most so many tokens; "" where it did nothing. */
export async function sessionLedger(
  input: HookInput,
  introduction: string,
  budget: number,
  signal: AbortSignal,
): Promise<string> {
  let ledger: Ledger = EMPTY_LEDGER;
  for await (const message of readSession(input, { isBounded: true, signal })) ledger = reduceLedger(ledger, message);
  // Nobody publishes the tokenizer of the model that reads it: counted with a margin.
  const { count } = counterFor("claude-sonnet-4-5");
  return ledgerBlock(ledger, { introduction, budget, count });
}
