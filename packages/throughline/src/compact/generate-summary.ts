import { omitUndefined } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { Model, ModelReply } from "../ports/model.ts";
import type { TimeOptions } from "../ports/run-in-time.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { getContextLimit } from "../tokens/model-limits.ts";
import { cutText } from "../trim/cut-text.ts";
import { askModel, type Reading } from "./ask-model.ts";
import { checkSummary } from "./check-summary.ts";
import { formatMessagesForSummary } from "./format-messages.ts";
import { codingProfile } from "./profiles/coding.ts";
import type { SummaryProfile } from "./profiles/profile.ts";
import { summaryHeading } from "./summary-heading.ts";
import { buildSummaryPrompt } from "./summary-prompt.ts";
import { type AnyModel, toModel } from "./to-model.ts";

/** How a summary is asked for. */
export interface GenerateSummaryOptions extends TimeOptions {
  /** What it looks like; by default as for work on code. */
  readonly profile?: SummaryProfile;
  /** What the ledger holds, which the summary need not repeat. */
  readonly ledger?: string;
  /** What the summary should keep above all. */
  readonly focus?: string;
}

/** Prose by the model, or why there is none. */
export type GeneratedSummary = { readonly text: string } | { readonly failure: string };

/** The share of the summariser's window that is used: its tokenizer may count more than ours. */
const USED = 0.9;
/** A reply may be a little longer than what is asked for, and takes no more than this share of a small window. */
const REPLY = { longer: 1.25, share: 0.3 };
/** How what is left is shared; a chunk of messages gets the rest. */
const SHARES = { task: 0.15, ledger: 0.2, previous: 0.25 };
/** What stands between two messages, and the longer number of a later one. */
const SEPARATOR_TOKENS = 4;
/** With less than this there is nothing to summarise. */
const MIN_CHUNK = 150;

/**
 * Asks the model for a summary of messages that are about to leave the window, with the sections of the profile and no
 * others. More than it can take at once goes in chunks, each integrating the summary of those before.
 *
 * @throws Error where no believable summary came back; {@link trySummary} says why instead.
 *
 * @example
 * const summary = await generateSummary(messages, null, extractOriginalTask(messages), 1, model);
 */
export async function generateSummary(
  messagesToCompact: readonly (Message | ForeignModelMessage)[],
  previousSummary: string | null,
  originalTask: string,
  compactionRound: number,
  model: AnyModel,
  options: GenerateSummaryOptions = {},
): Promise<string> {
  const messages = toRichWindow(messagesToCompact);
  const summary = await trySummary(messages, previousSummary, originalTask, compactionRound, model, options);
  if ("failure" in summary) throw new Error(`No summary: ${summary.failure}.`);
  return `${summaryHeading(compactionRound)}\n\n${summary.text}`;
}

/** The same without its heading, and without an error: nothing depends on the model. */
export async function trySummary(...summarised: Parameters<typeof summarise>): Promise<GeneratedSummary> {
  try {
    return await summarise(...summarised);
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

async function summarise(
  messages: readonly Message[],
  previousSummary: string | null,
  originalTask: string,
  round: number,
  anyModel: AnyModel,
  options: GenerateSummaryOptions = {},
): Promise<GeneratedSummary> {
  const model = toModel(anyModel);
  const { profile = codingProfile, timeLimit, signal } = options;
  const { maxOutputTokens, room } = shareWindow(model, profile, round, options);
  const within = (text: string, share: number) => cutText(text, Math.floor(room * share), "shortened", countTokens);
  const task = within(originalTask, SHARES.task);
  const ledger = within(options.ledger ?? "", SHARES.ledger);
  const chunk = Math.floor(room * (1 - SHARES.previous)) - countTokens(task) - countTokens(ledger);
  if (chunk < MIN_CHUNK) return { failure: "the summariser's window is too small" };
  let text: string | undefined;
  for (const transcript of chunksOf(messages, chunk)) {
    const whole = text ?? previousSummary;
    const previous = whole === null ? null : within(whole, SHARES.previous);
    const input = { profile, round, originalTask: task, previousSummary: previous, transcript, ledger };
    const request = { ...buildSummaryPrompt(omitUndefined({ ...input, focus: options.focus })), maxOutputTokens };
    const inputTokens = countTokens(transcript) + countTokens(whole ?? "");
    const read = (reply: ModelReply): Reading<string> => {
      const checked = checkSummary(reply, profile, countTokens, inputTokens);
      return checked.ok ? { value: checked.text } : { failure: checked.reason };
    };
    const question = { ...request, temperature: 0.3, task: "summary", role: "the summariser", read };
    const answer = await askModel(model, question, omitUndefined({ timeLimit, signal }));
    if ("error" in answer) return { failure: answer.error.message };
    text = answer.value;
  }
  return text === undefined ? { failure: "there was nothing to summarize" } : { text };
}

/** What a reply may take of the summariser's window, and what is left for all that comes from the session. */
function shareWindow(
  { contextLimit, modelId }: Model,
  profile: SummaryProfile,
  round: number,
  { focus }: GenerateSummaryOptions,
): { readonly maxOutputTokens: number; readonly room: number } {
  const limit = Math.floor((contextLimit ?? getContextLimit(modelId)) * USED);
  const nothing = { originalTask: "", previousSummary: "", transcript: "", ledger: " " };
  const { system, prompt } = buildSummaryPrompt(omitUndefined({ ...nothing, profile, round, focus }));
  const maxOutputTokens = Math.ceil(Math.min(profile.maxTokens * REPLY.longer, limit * REPLY.share));
  return { maxOutputTokens, room: limit - maxOutputTokens - countTokens(system) - countTokens(prompt) };
}

/** Whole messages to a chunk; one that is larger than a chunk is cut. */
function chunksOf(messages: readonly Message[], limit: number): string[] {
  const chunks: Message[][] = [];
  let size = 0;
  for (const message of messages) {
    const tokens = countTokens(formatMessagesForSummary([message])) + SEPARATOR_TOKENS;
    const last = chunks.at(-1);
    if (last === undefined || size + tokens > limit) {
      chunks.push([message]);
      size = tokens;
    } else {
      last.push(message);
      size += tokens;
    }
  }
  return chunks.map((chunk) => cutText(formatMessagesForSummary(chunk), limit, "shortened", countTokens));
}
