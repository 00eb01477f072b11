import { countTokens } from "throughline";
import { cutText } from "../../cut-text.ts";
import { saidIn } from "../part-text.ts";
import type { TranscriptMessage } from "../transcript.ts";
import { writeNames } from "./ranked-names.ts";
import { statementsIn } from "./sentences.ts";

const PROSE_SHARE = 0.5;
const REQUEST_CHARACTERS = 160;
const SENTENCES_OF_LAST_TEXT = 12;
const SENTENCES_OF_OTHER_TEXTS = 2;
/** Share of the requests after which the weight of a request has fallen to 1/e. */
const DECAY = 0.45;
const MIN_WEIGHT = 0.25;
/** A request with this much text, in characters, has its full weight. */
const FULL_LENGTH = 3_000;

/** A request of the user with the assistant's texts until the next request. */
interface Request {
  readonly words: string;
  readonly texts: string[];
}

/**
 * A baseline that reads as a dialogue: the start of each request and the conclusions of the assistant, the last text
 * first, followed by ranked identifiers.
 */
export function storySketch(messages: readonly TranscriptMessage[], budget: number): string {
  const prose = tellRequests(findRequests(messages), budget * PROSE_SHARE);
  const names = writeNames(messages, budget - countTokens(prose) - 1);
  return cutText(`${prose}\n${names}`, budget, "start");
}

function findRequests(messages: readonly TranscriptMessage[]): Request[] {
  const requests: Request[] = [];
  for (const message of messages) {
    const said = saidIn(message);
    const isReply = message.role === "assistant" || message.isSummary;
    const words = isReply ? "" : withoutBlocks(said);
    if (words !== "") requests.push({ words, texts: [] });
    if (!isReply || said === "") continue;
    if (requests.length === 0) requests.push({ words: "", texts: [] });
    requests.at(-1)?.texts.push(said);
  }
  return requests;
}

/** The text that the user typed, without the `<tag>` blocks that a client adds. */
function withoutBlocks(text: string): string {
  return text
    .replace(/<([a-z][\w-]*)\b[^<>]*>[\s\S]*?<\/\1>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function tellRequests(requests: readonly Request[], budget: number): string {
  const weights = requests.map(({ texts }, index) => {
    const age = requests.length - 1 - index;
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    return (MIN_WEIGHT + Math.exp(-age / (DECAY * requests.length))) * Math.min(1, MIN_WEIGHT + length / FULL_LENGTH);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let room = budget;
  let weightLeft = total;
  const told: string[] = [];
  // From the newest request on; tokens that a request does not use go to the older ones.
  for (let index = requests.length - 1; index >= 0; index -= 1) {
    const weight = weights[index] ?? 0;
    const text = tellRequest(requests[index] as Request, (room * weight) / weightLeft);
    if (text !== "") told.unshift(text);
    room -= text === "" ? 0 : countTokens(text) + 1;
    weightLeft -= weight;
  }
  return told.join("\n");
}

function tellRequest({ words, texts }: Request, budget: number): string {
  const request = words === "" ? [] : [`User: ${words.slice(0, REQUEST_CHARACTERS)}`];
  let room = budget - countTokens(request.join("")) - 1;
  if (room < 0) return "";
  const chosen: string[][] = texts.map(() => []);
  for (let index = texts.length - 1; index >= 0 && room > 0; index -= 1) {
    const most = index === texts.length - 1 ? SENTENCES_OF_LAST_TEXT : SENTENCES_OF_OTHER_TEXTS;
    for (const sentence of statementsIn(texts[index] ?? "").slice(0, most)) {
      const cost = countTokens(sentence) + 1;
      if (cost > room) continue;
      chosen[index]?.push(sentence);
      room -= cost;
    }
  }
  return [...request, ...chosen.flat()].join("\n");
}
