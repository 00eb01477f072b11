import { type AskOptions, askModel, type Reading, readText, reasonOf } from "../../compact/ask-model.ts";
import { type AnyModel, toModel } from "../../compact/to-model.ts";
import { findSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { ModelReply } from "../../ports/model.ts";
import { getContextLimit } from "../../tokens/model-limits.ts";
import { EXTRACTED_CONFIDENCE } from "../facts/fact-rules.ts";
import { readSlot } from "../facts/read-slot.ts";
import { blankForeign } from "./blank-foreign.ts";
import { type ExtractOptions, extractFacts, PEOPLE } from "./extract-facts.ts";
import type { ExtractedFact, ExtractTurn } from "./extract-turn.ts";
import { buildExtractionPrompt } from "./extraction-prompt.ts";
import { groundFact, type SpokenTurn } from "./ground-fact.ts";
import { type ProposedFact, parseFacts } from "./parse-facts.ts";
import { tellOfUser } from "./third-person.ts";

export interface ModelExtractOptions extends ExtractOptions, AskOptions {}

/** Facts, and by whom they were found. */
export interface Extraction {
  readonly facts: readonly ExtractedFact[];
  readonly by: "model" | "rules";
  /** Why the model's answer could not be used. */
  readonly failure?: string;
}

/** The share of a model's window that the conversation may take. */
const WINDOW_SHARE = 0.5;

/**
 * Facts by a model, each with the words that it rests on; what nobody said is dropped. Where the model fails, the rules
 * do it.
 */
export async function extractWithModel(
  turns: readonly ExtractTurn[],
  model: AnyModel,
  options: ModelExtractOptions = {},
): Promise<Extraction> {
  const { roles = PEOPLE, keepSecrets = false } = options;
  const spoken = turns.filter(({ role }) => roles.includes(role)).map(toSpoken);
  if (!spoken.some(({ own }) => own.trim() !== "")) return { facts: [], by: "rules" };
  const { contextLimit, modelId } = toModel(model);
  const maxTokens = Math.floor((contextLimit ?? getContextLimit(modelId)) * WINDOW_SHARE);
  const request = buildExtractionPrompt(turns, roles, maxTokens);
  const question = { ...request, task: "facts", read: (reply: ModelReply) => readText(reply, readFacts) };
  const answer = await askModel(model, question, options);
  if ("error" in answer) return { facts: extractFacts(turns, options), by: "rules", failure: reasonOf(answer.error) };
  const facts = answer.value.flatMap((proposed) => toFact(proposed, spoken) ?? []);
  return { facts: keepSecrets ? facts : facts.filter(holdsNoSecret), by: "model" };
}

function readFacts(text: string): Reading<readonly ProposedFact[]> {
  const { facts, isAnswer } = parseFacts(text);
  return isAnswer ? { value: facts } : { failure: "it was no list of facts" };
}

function toSpoken(turn: ExtractTurn): SpokenTurn {
  return omitUndefined({ id: turn.id, speaker: turn.speaker, ...blankForeign(turn) });
}

function toFact(proposed: ProposedFact, turns: readonly SpokenTurn[]): ExtractedFact | undefined {
  const source = groundFact(proposed, turns);
  if (source === undefined) return undefined;
  const text = tellOfUser(proposed.fact);
  const slot = readSlot(text);
  return omitUndefined({
    text,
    category: proposed.category,
    key: slot?.key,
    value: slot?.value,
    subject: /^(?:the )?(?:project|team|app)\b/i.test(text) ? "project" : (source.speaker ?? "user"),
    confidence: EXTRACTED_CONFIDENCE,
    source,
    updatesPrevious: proposed.updatesPrevious ? (true as const) : undefined,
  });
}

function holdsNoSecret({ text, source }: ExtractedFact): boolean {
  return findSecrets(text).length === 0 && findSecrets(source.quote ?? "").length === 0;
}
