import {
  ASK_RULES,
  type AskOptions,
  askModel,
  type Reading,
  readText,
  reasonOf,
  type TimeBudget,
} from "../../compact/ask-model.ts";
import { type AnyModel, toModel } from "../../compact/prose/model-adapter.ts";
import { checkOptions, type OptionRules } from "../../errors/check-options.ts";
import { mapConcurrently } from "../../internal/concurrency.ts";
import { findSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { ModelReply } from "../../ports/model.ts";
import { getContextLimit } from "../../tokens/model-limits.ts";
import { EXTRACTED_CONFIDENCE } from "../facts/fact-rules.ts";
import { readSlot } from "../facts/read-slot.ts";
import { normalizeKey } from "../facts/slot-keys.ts";
import { EXTRACT_RULES, type ExtractOptions, extractByRules, PEOPLE } from "./extract-facts.ts";
import { blankForeignText, type ExtractedFact, type ExtractTurn, hasModelInstructions } from "./extract-turn.ts";
import { buildExtractionPrompt, divideIntoSegments, type Segment } from "./extraction-prompt.ts";
import { groundFact, isGrounded, type SpokenTurn } from "./ground-fact.ts";
import { type ProposedFact, parseFacts } from "./parse-facts.ts";

/** Options of `extractFacts`, and time limit, abort signal and logger of the call to the model. */
export interface ModelExtractOptions extends ExtractOptions, AskOptions {}

const RULES: OptionRules<ModelExtractOptions> = { ...EXTRACT_RULES, ...ASK_RULES };

/** Result of `extractWithModel`. */
export interface Extraction {
  readonly facts: readonly ExtractedFact[];
  /** Source of the facts: `model` if it answered at least one request. */
  readonly by: "model" | "rules";
  /** Reason why an answer of the model could not be used. The rules read these messages instead. */
  readonly failure?: string;
}

/** Maximum tokens of the conversation in one request, and their share of the model's window. */
const MAX_SEGMENT_TOKENS = 6_000;
const WINDOW_SHARE = 0.5;
/** Maximum number of concurrent requests. */
const MAX_REQUESTS = 2;
/** Milliseconds for all requests. A reasoning model may take a minute for one. */
const TIME_LIMIT = 90_000;
/** Minimum share of that time for a request to be sent. */
const MIN_TIME_SHARE = 0.1;

/**
 * Extracts facts with a model. Facts that the messages do not support are dropped. If the model fails, times out or
 * gives no list of facts, the rules of `extractFacts` are used instead; errors of the model are not thrown.
 *
 * @param turns Messages, in order. They are sent in several requests if they need more than half of the model's context
 *   window or more than 6,000 tokens.
 * @param model Model to ask. It is not asked if the messages contain no text of a person.
 * @param options Roles to read (default `["user"]`), whether to keep secrets (default false), time limit in
 *   milliseconds
 *   (default 90,000 for all requests; the rules read what does not fit into it), abort signal, and a logger for
 * failures
 *   of the model.
 * @returns The facts, their source, and the reason if an answer of the model was not used.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const { facts, by } = await extractWithModel([{ id: "m1", role: "user", text: "I moved to Lisbon." }], model);
 */
export async function extractWithModel(
  turns: readonly ExtractTurn[],
  model: AnyModel,
  options: ModelExtractOptions = {},
): Promise<Extraction> {
  checkOptions("extractWithModel", options, RULES);
  const { roles = PEOPLE, timeLimit = TIME_LIMIT } = options;
  const contextLimit = contextLimitOf(model);
  const segments = divideIntoSegments(turns, roles, Math.min(MAX_SEGMENT_TOKENS, contextLimit * WINDOW_SHARE));
  const until = Date.now() + timeLimit;
  // The first requests have all of the time. A later one is sent if the slowest answer so far would fit into the rest.
  let rest: TimeBudget = { timeLeft: timeLimit, minTime: timeLimit * MIN_TIME_SHARE };
  const found = await mapConcurrently(segments, MAX_REQUESTS, async (segment) => {
    const start = Date.now();
    const extraction = await askForFacts(segment, model, { ...options, timeLimit, rest, contextLimit });
    const duration = extraction.by === "model" ? Date.now() - start : 0;
    rest = { timeLeft: until - Date.now(), minTime: Math.max(rest.minTime, duration) };
    return extraction;
  });
  return omitUndefined({
    facts: found.flatMap(({ facts }) => facts),
    by: found.some(({ by }) => by === "model") ? ("model" as const) : ("rules" as const),
    failure: found.find(({ failure }) => failure !== undefined)?.failure,
  });
}

function contextLimitOf(model: AnyModel): number {
  const { contextLimit, modelId } = toModel(model);
  return contextLimit ?? getContextLimit(modelId);
}

interface SegmentOptions extends ModelExtractOptions {
  readonly rest: TimeBudget;
  readonly contextLimit: number;
}

async function askForFacts(segment: Segment, model: AnyModel, options: SegmentOptions): Promise<Extraction> {
  const byRules = (failure: string): Extraction => ({
    facts: extractByRules(segment.turns, options),
    by: "rules",
    failure,
  });
  const request = buildExtractionPrompt(segment, options.contextLimit);
  const { rest } = options;
  const question = { ...request, task: "facts", rest, read: (reply: ModelReply) => readText(reply, readFacts) };
  const answer = await askModel(model, question, options);
  if ("error" in answer) return byRules(reasonOf(answer.error));
  const spoken = segment.turns.map(toSpoken);
  const facts = answer.value.flatMap((proposed) => toFact(proposed, spoken) ?? []);
  return { facts: options.keepSecrets === true ? facts : facts.filter(holdsNoSecret), by: "model" };
}

function readFacts(text: string): Reading<readonly ProposedFact[]> {
  const { facts, isAnswer } = parseFacts(text);
  return isAnswer ? { value: facts } : { failure: "the reply is not a list of facts" };
}

function toSpoken(turn: ExtractTurn): SpokenTurn {
  return omitUndefined({ id: turn.id, speaker: turn.speaker, ...blankForeignText(turn) });
}

function toFact(proposed: ProposedFact, turns: readonly SpokenTurn[]): ExtractedFact | undefined {
  const grounded = groundFact(proposed, turns);
  if (grounded === undefined || hasModelInstructions(grounded.text)) return undefined;
  const { source, text } = grounded;
  const own = turns.find(({ id }) => id === source.messageId)?.own ?? "";
  const slot = readSlot(text) ?? (grounded.isFaithful ? proposedSlot(proposed, own) : undefined);
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

/** Key and value that the model proposed, if the person stated the value. */
function proposedSlot({ key, value }: ProposedFact, own: string): { key: string; value: string } | undefined {
  if (key === undefined || value === undefined || !isGrounded(value, own)) return undefined;
  return { key: normalizeKey(key), value };
}

function holdsNoSecret({ text, source }: ExtractedFact): boolean {
  return findSecrets(text).length === 0 && findSecrets(source.quote ?? "").length === 0;
}
