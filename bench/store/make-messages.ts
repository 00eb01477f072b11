import type { Message, Part } from "throughline";
import { counterFor, storeTokens } from "throughline/tokens";
import { makeExchange } from "../prepare/make-session.ts";

export const MODEL = "gpt-4o";

/** Messages that are generated once and reused with new ids. */
const POOL_SIZE = 1_000;

// Characters at the quantiles 0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99 and 1: agents write little, and some tools a
// lot.
const QUANTILES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1];
const TEXT_SIZES = [20, 40, 70, 170, 420, 1_000, 1_600, 9_000, 25_000];
const INPUT_SIZES = [20, 40, 70, 140, 400, 1_000, 1_900, 5_500, 16_000];
const RESULT_SIZES = [20, 90, 150, 700, 2_600, 7_500, 13_500, 40_000, 90_000];

/** The counting of a session, so that it reuses the counts. */
const COUNTING = { modelId: MODEL, counter: counterFor(MODEL, 1) };

const FILE_NAME = /(src\/\w+\/[\w-]+)\.ts/g;

/** The golden ratio, whose multiples are spread evenly over 0 to 1 without a visible order. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The messages of a generated session, by position, with token counts. */
export type MakeMessages = (sessionId: string, from: number, count: number) => Message[];

/** Requests, texts, tool calls and results with realistic sizes; the same in every run. */
export function makeMessages(): MakeMessages {
  const pool = makePool();
  return (sessionId, from, count) =>
    Array.from({ length: count }, (_, i) => {
      const position = from + i;
      const message = pool[position % POOL_SIZE];
      if (message === undefined) throw new RangeError(`There is no message at ${position}.`);
      return place(message, sessionId, position);
    });
}

function makePool(): Message[] {
  const pool: Message[] = [];
  for (let turn = 0; pool.length < POOL_SIZE; turn += 1) pool.push(...makeExchange(turn));
  return pool.slice(0, POOL_SIZE).map((message, index) => {
    // The last message may be a call without a result: its calls are removed.
    const parts = message.parts.filter((part) => index < POOL_SIZE - 1 || part.type !== "tool-call");
    return storeTokens(resize({ ...message, parts }, index), COUNTING);
  });
}

function resize(message: Message, index: number): Message {
  return { ...message, parts: message.parts.map((part) => resizePart(part, index)) };
}

function resizePart(part: Part, index: number): Part {
  const quantile = (index * GOLDEN) % 1;
  if (part.type === "text") return { ...part, text: part.text + words(index, sizeAt(TEXT_SIZES, quantile)) };
  if (part.type === "tool-result") {
    return { ...part, output: { type: "text", value: words(index, sizeAt(RESULT_SIZES, quantile)) } };
  }
  if (part.type !== "tool-call" || part.toolName !== "Edit") return part;
  const half = sizeAt(INPUT_SIZES, quantile) / 2;
  return {
    ...part,
    input: { ...(part.input as object), old_string: words(index, half), new_string: words(index + 1, half) },
  };
}

function sizeAt(sizes: readonly number[], quantile: number): number {
  const above = QUANTILES.findIndex((one) => one > quantile);
  const [low = 0, high = 1] = QUANTILES.slice(above - 1, above + 1);
  const [small = 0, large = 0] = sizes.slice(above - 1, above + 1);
  // Sizes grow by factors, not by steps.
  return small * (large / small) ** ((quantile - low) / (high - low));
}

/** Text of this many characters. */
function words(seed: number, size: number): string {
  let text = "";
  for (let turn = seed * 3; text.length < size; turn += 3) text += `${readText(turn)}\n`;
  return text.slice(0, Math.round(size));
}

/** The content that is read in a turn without edits. */
function readText(turn: number): string {
  const parts = makeExchange(turn).flatMap((message) => message.parts);
  const result = parts.find((part) => part.type === "tool-result");
  return result?.output.type === "text" ? result.output.value : "";
}

/** Each lap uses different files, so that the ledger entries differ. */
function place(message: Message, sessionId: string, position: number): Message {
  const id = `m${position}`;
  const lap = Math.floor(position / POOL_SIZE);
  const parts = message.parts.map((part, i) => {
    const own = { ...renameFiles(part, lap), id: `${id}.${i}` };
    return "toolCallId" in own ? { ...own, toolCallId: `${own.toolCallId}-${lap}` } : own;
  });
  const placed = { ...message, id, sessionId, parts, createdAt: 1_700_000_000_000 + position * 1_000 };
  // Existing counts are reused.
  return storeTokens(placed, COUNTING);
}

function renameFiles(part: Part, lap: number): Part {
  if (lap === 0 || (part.type !== "text" && part.type !== "tool-call")) return part;
  const { tokens: _tokens, countedBy: _countedBy, ...uncounted } = part;
  const rename = (text: string) => text.replaceAll(FILE_NAME, `$1-${lap}.ts`);
  if (uncounted.type === "text") return { ...uncounted, text: rename(uncounted.text) };
  const { file_path: file, ...input } = uncounted.input as { file_path: string };
  return { ...uncounted, input: { file_path: rename(file), ...input } };
}
