import type { AskedQuestion, Conversation } from "../recall/conversation.ts";
import { DEPTHS } from "./depths.ts";
import type { OpenPeer } from "./peer.ts";

const LIMIT = 10;

/** Sums over questions, divided for shares. */
export interface RecallScore {
  questions: number;
  /** Share of the evidence in the first k, one sum per depth. */
  readonly atDepths: number[];
  readonly byCategory: Map<string, { questions: number; found: number }>;
  /** Results with the package's own thresholds, at most ten. */
  readonly own: { hits: number; found: number };
  readonly foreign: { questions: number; hits: number };
}

export function newScore(): RecallScore {
  const own = { hits: 0, found: 0 };
  return {
    questions: 0,
    atDepths: DEPTHS.map(() => 0),
    byCategory: new Map(),
    own,
    foreign: { questions: 0, hits: 0 },
  };
}

/** Questions with evidence in the conversation. */
export function answerable({ questions }: Conversation): readonly AskedQuestion[] {
  return questions.filter(({ isAnswerable, evidence }) => isAnswerable && evidence.length > 0);
}

/** Asks a conversation its own questions, and those of others, which have no answer in it. */
export async function measureRecall(
  peer: OpenPeer,
  conversation: Conversation,
  others: readonly Conversation[],
  score: RecallScore,
): Promise<void> {
  for (const question of answerable(conversation)) {
    const ranked = await peer.rank(question.text, Math.max(...DEPTHS));
    const given = (await peer.recall(question.text, LIMIT)).slice(0, LIMIT);
    addRanked(score, question, ranked);
    score.own.hits += given.length;
    score.own.found += shareFound(question, given);
  }
  for (const other of others) {
    for (const { text } of answerable(other)) {
      score.foreign.questions += 1;
      score.foreign.hits += (await peer.recall(text, LIMIT)).slice(0, LIMIT).length;
    }
  }
}

function addRanked(score: RecallScore, question: AskedQuestion, ranked: readonly string[]): void {
  score.questions += 1;
  DEPTHS.forEach((depth, at) => {
    score.atDepths[at] = (score.atDepths[at] ?? 0) + shareFound(question, ranked.slice(0, depth));
  });
  const category = score.byCategory.get(question.category) ?? { questions: 0, found: 0 };
  category.questions += 1;
  category.found += shareFound(question, ranked.slice(0, LIMIT));
  score.byCategory.set(question.category, category);
}

function shareFound({ evidence }: AskedQuestion, ids: readonly string[]): number {
  const given = new Set(ids);
  return evidence.filter((id) => given.has(id)).length / evidence.length;
}
