import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { Model, ModelReply } from "../ports/model.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { getContextLimit } from "../tokens/model-limits.ts";
import { checkSummary } from "./check-summary.ts";
import { formatMessagesForSummary } from "./format-messages.ts";
import { codingProfile } from "./profiles/coding.ts";
import type { SummaryProfile } from "./profiles/profile.ts";
import { summaryHeading } from "./summary-heading.ts";
import { buildSummaryPrompt } from "./summary-prompt.ts";
import { type AnyModel, toModel } from "./to-model.ts";

/** How a summary is asked for. */
export interface GenerateSummaryOptions {
  /** What it looks like; by default as for work on code. */
  readonly profile?: SummaryProfile;
  /** What the ledger holds, which the summary need not repeat. */
  readonly ledger?: string;
  /** What the summary should keep above all. */
  readonly focus?: string;
  /** Milliseconds after which the summariser is given up. */
  readonly timeLimit?: number;
  readonly signal?: AbortSignal;
}

/** Prose by the model, or why there is none. */
export type GeneratedSummary = { readonly text: string } | { readonly failure: string };

const DEFAULT_TIME_LIMIT = 30_000;
/** The share of the summariser's window that a chunk of messages may take. */
const CHUNK_SHARE = 0.6;

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
export async function trySummary(
  messages: readonly Message[],
  previousSummary: string | null,
  originalTask: string,
  round: number,
  anyModel: AnyModel,
  options: GenerateSummaryOptions = {},
): Promise<GeneratedSummary> {
  const model = toModel(anyModel);
  const profile = options.profile ?? codingProfile;
  const limit = Math.floor((model.contextLimit ?? getContextLimit(model.modelId)) * CHUNK_SHARE);
  let summary = previousSummary;
  try {
    for (const transcript of chunksOf(messages, limit)) {
      const { ledger = "", focus } = options;
      const input = { profile, round, originalTask, previousSummary: summary, transcript, ledger };
      const request = buildSummaryPrompt(focus === undefined ? input : { ...input, focus });
      const reply = await withTimeLimit(model, request, profile.maxTokens, options);
      const inputTokens = countTokens(transcript) + countTokens(summary ?? "");
      const checked = checkSummary(reply, profile, countTokens, inputTokens);
      if (!checked.ok) return { failure: checked.reason };
      summary = checked.text;
    }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
  return summary === null || summary === previousSummary
    ? { failure: "there was nothing to summarize" }
    : { text: summary };
}

/** Whole messages to a chunk; one that is larger than a chunk is cut by the formatting already. */
function chunksOf(messages: readonly Message[], limit: number): string[] {
  const chunks: Message[][] = [];
  let size = 0;
  for (const message of messages) {
    const tokens = countTokens(formatMessagesForSummary([message]));
    const last = chunks.at(-1);
    if (last === undefined || size + tokens > limit) {
      chunks.push([message]);
      size = tokens;
    } else {
      last.push(message);
      size += tokens;
    }
  }
  return chunks.map(formatMessagesForSummary);
}

async function withTimeLimit(
  model: Model,
  request: { system: string; prompt: string },
  maxTokens: number,
  { timeLimit = DEFAULT_TIME_LIMIT, signal }: GenerateSummaryOptions,
): Promise<ModelReply> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(new Error("the summariser was stopped")), { once: true });
    timer = setTimeout(() => {
      reject(new Error(`the summariser did not answer in ${timeLimit / 1_000} s`));
      controller.abort();
    }, timeLimit);
  });
  // Where the model fails first, nobody waits for this one any more.
  late.catch(() => undefined);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const maxOutputTokens = Math.ceil(maxTokens * 1.25);
    return await Promise.race([
      model.generate({ ...request, maxOutputTokens, temperature: 0.3, signal: controller.signal }),
      late,
    ]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
