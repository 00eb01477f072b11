import type { MemoryService } from "throughline";
import { readTerms, splitSentences, termHashes } from "throughline/internal";
import { type OpenData, throughlineOf } from "../data/open-data.ts";
import type { OwnQuestion } from "./history-survey.ts";

/** Questions that are tried. */
const MAX_TRIED = 24;
const MAX_HITS = 5;
/** Later messages of the session answer other questions. */
const MAX_ANSWER_TIME = 10 * 60_000;
/** A question with fewer terms says little: "what's next?" */
const MIN_TERMS = 3;
/** "Why does this fail?": only the conversation explains it. */
const POINTING = /\b(?:it|its|this|that|these|those|they|them|there|here|above|you|your)\b/i;
/** Not "how about …?", which proposes something. */
const OPEN_QUESTION = /^(?:how|what|when|where|which|who|why)\b(?! about)/i;

/** A question from the history that the stored data answers. */
export interface AnsweredQuestion {
  readonly text: string;
  readonly project: string | undefined;
  readonly answer: string;
}

/**
 * A question of the user to which `recall` finds the answer that the agent gave then. Questions that stand alone are
 * tried first.
 *
 * @param projectOfSession gives the project to search
 */
export async function findAnsweredQuestion(
  data: OpenData,
  questions: readonly OwnQuestion[],
  projectOfSession: (sessionId: string) => string | undefined,
): Promise<AnsweredQuestion | undefined> {
  let best: (AnsweredQuestion & { readonly score: number }) | undefined;
  for (const [project, asked] of Map.groupBy(pick(questions), ({ sessionId }) => projectOfSession(sessionId))) {
    const { memory } = await throughlineOf(data, project);
    for (const question of asked) {
      const found = await findAnswer(memory, question);
      if (found !== undefined && found.score > (best?.score ?? 0)) best = { text: question.text, project, ...found };
    }
  }
  return best && { text: best.text, project: best.project, answer: best.answer };
}

/**
 * A sample of the questions: open ones that need no context, else ones that need no context, else any specific ones.
 */
function pick(questions: readonly OwnQuestion[]): readonly OwnQuestion[] {
  const specific = questions.filter(({ text }) => readTerms(text).length >= MIN_TERMS);
  const alone = specific.filter(({ text }) => !POINTING.test(text));
  const open = alone.filter(({ text }) => OPEN_QUESTION.test(text));
  const wanted = [open, alone, specific].find((some) => some.length > 0) ?? [];
  const step = Math.max(1, Math.floor(wanted.length / MAX_TRIED));
  return wanted.filter((_, i) => i % step === 0).slice(-MAX_TRIED);
}

/** The agent's answer, if it is among the first hits. */
async function findAnswer(
  memory: MemoryService,
  { text, sessionId, at }: OwnQuestion,
): Promise<{ readonly answer: string; readonly score: number } | undefined> {
  const hits = await memory.recall(text, { limit: MAX_HITS });
  const answer = hits.find(({ type, source }) => {
    const time = (source.at ?? 0) - at;
    const isNext = source.sessionId === sessionId && time >= 0 && time <= MAX_ANSWER_TIME;
    return type === "turn" && isNext && source.speaker === "assistant";
  });
  return answer && { answer: fromAnswer(answer.text, text), score: answer.score };
}

/** A reply from the first sentence that shares a word with the question: not "All tests pass." */
function fromAnswer(reply: string, question: string): string {
  const asked = termHashes(question);
  const sentences = splitSentences(reply);
  const first = sentences.findIndex(({ text }) => readTerms(text).some(({ hash }) => asked.has(hash)));
  return sentences
    .slice(Math.max(0, first))
    .map(({ text }) => text)
    .join(" ");
}
