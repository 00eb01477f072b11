import type { ModelReply } from "../ports/model.ts";
import { cleanProse, titlesIn } from "./clean-prose.ts";
import type { SummaryProfile } from "./profiles/profile.ts";

/** How far a summary may exceed what was asked for. */
const TOLERANCE = 1.5;

export type CheckedSummary =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Whether a summary can be believed to be one; what is not is left out, and the ledger stands alone. */
export function checkSummary(
  reply: ModelReply,
  profile: SummaryProfile,
  count: (text: string) => number,
  inputTokens: number,
): CheckedSummary {
  const text = (reply.text ?? "").trim();
  if (reply.hasToolCalls) return { ok: false, reason: "it asked for tools" };
  if (text === "") return { ok: false, reason: "it is empty" };
  const tokens = count(text);
  if (tokens > profile.maxTokens * TOLERANCE) return { ok: false, reason: `it has ${tokens} tokens` };
  if (tokens > inputTokens) return { ok: false, reason: "it is longer than what it summarizes" };
  const titles = profile.sections.map(({ title }) => title);
  if (titlesIn(text, titles).length * 2 < titles.length) {
    return { ok: false, reason: "it has not the sections that were asked for" };
  }
  return { ok: true, text: cleanProse(text, titles) };
}
