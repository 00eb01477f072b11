import { EMPTY_LEDGER, type Ledger, reduceLedger, renderLedger } from "throughline/compact";
import { MAX_CHARACTERS } from "./agent-hooks.ts";
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

const OPENING = "<session-ledger>";
const CLOSING = "</session-ledger>";
/** The record must not contain its own closing or opening tag. */
const LOOKALIKE = /<(?=\s*(?:\/\s*)?session-ledger)/gi;
/** The agent cannot read the rest of a truncated text, so the hint to do so is removed. */
const HANDLE = /\[… recall \S+ …\]/g;
/** Share of the budget for user quotes. */
const WORDS_SHARE = 0.5;
/** Attempts to fit the budget: token counts are not additive, and characters are limited too. */
const TRIES = 6;

export interface LedgerBlockOptions {
  readonly introduction: string;
  /** Maximum tokens of the whole block. */
  readonly budget: number;
  readonly count: (text: string) => number;
}

/** Renders a ledger for an agent; "" if it is empty or does not fit the budget. */
export function ledgerBlock(ledger: Ledger, { introduction, budget, count }: LedgerBlockOptions): string {
  const frame = (record: string) => `${introduction}\n${OPENING}\n${record}\n${CLOSING}`;
  let maxTokens = budget - count(frame(""));
  for (let tries = 0; tries < TRIES && maxTokens > 0; tries += 1) {
    const words = Math.floor(WORDS_SHARE * maxTokens);
    const rendered = renderLedger(ledger, { budget: maxTokens, count, words });
    const record = rendered.replaceAll(HANDLE, "[…]").replaceAll(LOOKALIKE, "‹").trim();
    if (record === "") return "";
    const text = frame(record);
    const over = Math.max(count(text) / budget, text.length / MAX_CHARACTERS);
    if (over <= 1) return text;
    maxTokens = Math.floor(maxTokens / over - 8);
  }
  return "";
}
