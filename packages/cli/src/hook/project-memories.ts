import type { Throughline } from "throughline";
import type { TierShares } from "throughline/context";
import { omitUndefined } from "throughline/internal";
import { type DataOptions, withKeptData } from "../data/open-data.ts";
import { MAX_CHARACTERS } from "../integrations/ledger-block.ts";
import type { HookInput } from "./hook-input.ts";

/** Each time, it is tried with so much less at the least. */
const SMALLER = 1.25;
/** A hook cannot be asked for more: there is nothing to point to. */
const WITHOUT_INDEX: TierShares = { critical: 0.25, relevant: 0.375, background: 0.375, index: 0 };

/** What is worth knowing in a project where a session starts, as a block for a prompt; "" where nothing is remembered. */
export async function projectMemories(
  input: HookInput,
  options: DataOptions & { readonly folder: string },
  budget: number,
  signal: AbortSignal,
): Promise<string> {
  const { currentBranch } = await import("../workspace/git/current-branch.ts");
  const branch = await currentBranch(options.folder);
  signal.throwIfAborted();
  return (await withKeptData(options, ({ throughline }) => tell(throughline, input, { branch, budget }))) ?? "";
}

async function tell(
  { context }: Throughline,
  { sessionId, source }: HookInput,
  { branch, budget }: { readonly branch: string | undefined; readonly budget: number },
): Promise<string> {
  // A session that goes on has in its window what was said in it.
  const going = source === "resume" ? sessionId : undefined;
  const isKnown = (from: { readonly sessionId?: string }) => going !== undefined && from.sessionId === going;
  const signals = omitUndefined({ branch, sessionId });
  for (let room = budget; room >= 1; ) {
    const assembled = await context.assemble({ budget: room, signals, shares: WITHOUT_INDEX, isKnown });
    const { context: text, tokenCount } = assembled;
    if (text.length <= MAX_CHARACTERS) return text;
    // Where few tokens have many characters, the longest goes at last, and what is short stays.
    room = Math.min(Math.floor((tokenCount * MAX_CHARACTERS) / text.length), Math.floor(room / SMALLER));
  }
  return "";
}
