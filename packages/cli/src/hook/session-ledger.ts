import { EMPTY_LEDGER, type Ledger, reduceLedger } from "throughline/compact";
import { type LedgerBlockOptions, ledgerBlock } from "./ledger-block.ts";
import type { HookInput } from "./hook-input.ts";
import { readSession } from "./read-session.ts";

/** The record of the session of a hook within a token budget; "" if it is empty. */
export async function sessionLedger(
  input: HookInput,
  options: LedgerBlockOptions,
  signal: AbortSignal,
): Promise<string> {
  let ledger: Ledger = EMPTY_LEDGER;
  for await (const message of readSession(input, { isBounded: true, signal })) ledger = reduceLedger(ledger, message);
  return ledgerBlock(ledger, options);
}
