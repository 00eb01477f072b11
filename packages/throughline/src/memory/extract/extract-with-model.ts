import { type AskOptions, askModel, type Reading, readText, reasonOf } from "../../compact/ask-model.ts";
import { type AnyModel, toModel } from "../../compact/to-model.ts";
import { findSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import { tellOfUser } from "../../language/third-person.ts";
import type { ModelReply } from "../../ports/model.ts";
import { getContextLimit } from "../../tokens/model-limits.ts";
import { EXTRACTED_CONFIDENCE } from "../facts/fact-rules.ts";
import { readSlot } from "../facts/read-slot.ts";
import { normalizeKey } from "../facts/slot-keys.ts";
import { blankForeign } from "./blank-foreign.ts";
import { type ExtractOptions, extractFacts, PEOPLE } from "./extract-facts.ts";
import type { ExtractedFact, ExtractTurn } from "./extract-turn.ts";
import { buildExtractionPrompt } from "./extraction-prompt.ts";
import { groundFact, isGrounded, type SpokenTurn } from "./ground-fact.ts";
import { type ProposedFact, parseFacts } from "./parse-facts.ts";

/** Options of `extractFacts`, and time limit, abort signal and logger of the call to the model. */
export interface ModelExtractOptions extends ExtractOptions, AskOptions {}

/** Result of `extractWithModel`. */
export interface Extraction {
  readonly facts: readonly ExtractedFact[];
  /** Who found the facts. */
  readonly by: "model" | "rules";
  /** Why the answer of the model could not be used. */
  readonly failure?: string;
}

/** The share of a model's window that the conversation may take. */
const WINDOW_SHARE = 0.5;

/**
 * Extracts facts with a model. Facts that the messages do not support are dropped. If the model fails, times out or gives
 * no list of facts, the rules of `extractFacts` are used instead; errors of the model are not thrown.
 *
 * @param turns Messages, in order. If they need more than half of the model's context window, only the last ones are sent.
 * @param model Model to ask. It is not asked if the messages contain no text of a person.
 * @param options Roles to read (default `["user"]`), whether to keep secrets (default false), time limit in milliseconds
 *   (default 30,000), abort signal, and a logger for failures of the model.
 * @returns The facts, who found them, and why the model's answer was not used.
 *
 * @example
 * const { facts, by } = await extractWithModel([{ id: "m1", role: "user", text: "I moved to Lisbon." }], model);
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
  const slot = readSlot(text) ?? proposedSlot(proposed, turns.find(({ id }) => id === source.messageId)?.own ?? "");
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

/** The key and the value of a model, if the person said the value. */
function proposedSlot({ key, value }: ProposedFact, own: string): { key: string; value: string } | undefined {
  if (key === undefined || value === undefined || !isGrounded(value, own)) return undefined;
  return { key: normalizeKey(key), value };
}

function holdsNoSecret({ text, source }: ExtractedFact): boolean {
  return findSecrets(text).length === 0 && findSecrets(source.quote ?? "").length === 0;
}
