import type { ChatTurn } from "throughline/chat";

/** From here on, in percent of the window, a turn is near the threshold. */
const NEAR_THRESHOLD = 70;

/** Logs the effect of a turn on the window, for developers. */
function describeTurn(
  { stage, tokens, wasCompacted, receipt, reducedMemories }: ChatTurn,
  limit: number,
): readonly string[] {
  const percent = Math.round((tokens.final / limit) * 100);
  const trimmed = receipt.nearMisses.filter(({ reason }) => reason === "trimmed").length;
  const cut = receipt.items.reduce((sum, { shortened = [] }) => sum + shortened.length, 0);
  return [
    ...(stage === "none" ? [] : [`Compaction (${stage}): ${tokens.before} → ${tokens.final} tokens.`]),
    ...(wasCompacted ? ["Earlier messages were summarized."] : []),
    ...(trimmed > 0 || cut > 0 ? [`Trimmed: ${trimmed} messages left out, ${cut} parts cut.`] : []),
    ...(reducedMemories > 0 ? [`Memories: ${reducedMemories} left out of the prompt.`] : []),
    ...(percent >= NEAR_THRESHOLD ? [`The window is ${percent}% full; at 80% earlier messages are summarized.`] : []),
  ];
}

/** Logs what a turn did, in development only. */
export function logTurn(turn: ChatTurn, limit: number): void {
  if (!import.meta.env?.DEV) return;
  for (const line of describeTurn(turn, limit)) console.debug(`[throughline] ${line}`);
}
