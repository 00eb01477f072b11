import { isRecord } from "../internal/json.ts";
import type { ToolResultPart } from "../message/part.ts";

/** What clients write into the result of a call that the user refused; the user's words follow. */
const CLIENT_TEXTS: readonly RegExp[] = [
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)\.[\s\S]{0,300}?the user said:\s*/,
  /^The user rejected permission to use this specific tool call with the following feedback:\s*/,
  /^The user denied this operation and (?:provided the following feedback|responded with the message):\s*(?:<feedback>\s*)?/,
];
/** What clients add behind the user's words, or write in their place. */
const ADDED = /\s*(?:<\/feedback>|\n\nNote: The user's next message may contain)[\s\S]*$/;
const NOT_SAID = /^The user wants to clarify these questions\./;
/** People also use the field to ask something first. */
const ONE_QUESTION = /^[^.!?\n]{1,400}\?+\W{0,8}$/;

/** What the user said when refusing a call. */
export interface Refusal {
  readonly words: string;
  /** Whether the words are a reason, and not only a question. */
  readonly isReason: boolean;
}

/**
 * What the user said when refusing a call, as far as its result holds it. Text of a result counts only if the call failed
 * and the text begins as clients begin it: everything else in a result is data.
 */
export function readRefusal(part: Pick<ToolResultPart, "output">): Refusal | undefined {
  const words = refusalWords(part)?.trim();
  return words === undefined || words === "" ? undefined : { words, isReason: !ONE_QUESTION.test(words) };
}

function refusalWords({ output }: Pick<ToolResultPart, "output">): string | undefined {
  if (output.type === "execution-denied") return output.reason;
  const text = failureText(output);
  const opening = CLIENT_TEXTS.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
  if (opening === undefined) return undefined;
  const said = text.slice(opening.length).replace(ADDED, "");
  return NOT_SAID.test(said) ? undefined : said;
}

function failureText(output: ToolResultPart["output"]): string {
  if (output.type === "error-text") return output.value;
  // Anthropic's content blocks of a failed call.
  if (output.type !== "error-json" || !Array.isArray(output.value)) return "";
  const [first] = output.value as readonly unknown[];
  return isRecord(first) && typeof first.text === "string" ? first.text : "";
}
