import { countTokens, type Message, type Part } from "throughline";
import { cutText } from "../cut-text.ts";
import { listIdentifiers } from "../identifiers.ts";
import { readPart } from "../message-text.ts";
import type { SummaryPolicy } from "../policy.ts";

/** The sketch of METRICS.md: only names, as an upper reference. */
export const rankedIdentifiers: SummaryPolicy = {
  name: "ranked identifiers (sketch)",
  summarize: async (point, budget) => {
    const kept: string[] = [];
    let tokens = 0;
    for (const word of rank(point.pre)) {
      const cost = countTokens(`${word}\n`);
      if (tokens + cost > budget) continue;
      kept.push(word);
      tokens += cost;
    }
    return cutText(kept.join("\n"), budget, "start");
  },
};

function rank(messages: readonly Message[]): string[] {
  const parts = messages.flatMap((message) =>
    message.parts.map((part) => ({ weight: weightOf(message, part), text: readPart(part) })),
  );
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  const scores = new Map<string, number>();
  let at = 0;
  for (const { weight, text } of parts) {
    const recency = Math.exp(-(length - at) / (0.5 * length));
    for (const word of listIdentifiers(text)) scores.set(word, (scores.get(word) ?? 0) + weight * recency);
    at += text.length;
  }
  return [...scores]
    .map(([word, score]) => ({ word, score: score / word.length ** 0.3 }))
    .sort((a, b) => b.score - a.score)
    .map(({ word }) => word);
}

function weightOf(message: Message, part: Part): number {
  if (message.isSummary === true) return 1;
  if (part.type === "tool-call") return 2;
  return part.type === "tool-result" ? 0.2 : 0.5;
}
