import { countTokens } from "throughline";
import { identifiersIn } from "../measures/identifiers.ts";
import { partText } from "../part-text.ts";
import type { TranscriptMessage, TranscriptPart } from "../transcript.ts";

/** Share of the session after which the weight of a name has fallen to 1/e. */
const DECAY = 0.5;

/**
 * Ranked identifiers in at most `budget` tokens. Paths are given relative to one folder, which the first line declares.
 */
export function writeNames(messages: readonly TranscriptMessage[], budget: number): string {
  const names = rankNames(messages);
  const root = commonFolder(names);
  const first = root === "" ? "Names:" : `Names (paths relative to ${root}):`;
  const kept = new Set<string>();
  let tokens = countTokens(first) + 1;
  for (const name of names) {
    const short = root !== "" && name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    const cost = countTokens(` ${short},`);
    if (kept.has(short) || tokens + cost > budget) continue;
    kept.add(short);
    tokens += cost;
  }
  return kept.size === 0 ? "" : `${first} ${[...kept].join(", ")}`;
}

function rankNames(messages: readonly TranscriptMessage[]): string[] {
  const parts = messages.flatMap((message) =>
    message.parts.map((part) => ({ weight: weightOf(part), text: partText(part) })),
  );
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  const scores = new Map<string, number>();
  let at = 0;
  for (const { weight, text } of parts) {
    const recency = Math.exp((at - length) / (DECAY * Math.max(1, length)));
    for (const name of identifiersIn(text)) scores.set(name, (scores.get(name) ?? 0) + weight * recency);
    at += text.length;
  }
  return [...scores]
    .map(([name, score]) => ({ name, score: score / name.length ** 0.3 }))
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name);
}

function weightOf(part: TranscriptPart): number {
  if (part.kind === "call") return 2;
  return part.kind === "result" ? 0.2 : 0.5;
}

/** The folder whose removal from the names saves the most characters. */
function commonFolder(names: readonly string[]): string {
  const saved = new Map<string, number>();
  for (const name of names) {
    for (let end = name.indexOf("/"); end >= 0; end = name.indexOf("/", end + 1)) {
      const folder = name.slice(0, end);
      saved.set(folder, (saved.get(folder) ?? 0) + end);
    }
  }
  let best = "";
  for (const [folder, characters] of saved) if (characters > (saved.get(best) ?? 0)) best = folder;
  return best;
}
