import { isRecord } from "../../internal/json.ts";
import { splitSentences } from "../../language/sentences.ts";
import type { ToolResultPart } from "../../message/part.ts";
import { isErrorOutput, type ToolOutput, toolOutputText } from "../../message/tool-output.ts";

/** Beginnings of results of refused calls, before the user's words. */
const WITH_WORDS: readonly RegExp[] = [
  // Claude Code.
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)\.[\s\S]{0,300}?the user said:\s*/,
  // opencode.
  /^The user rejected permission to use this specific tool call with the following feedback:\s*/,
  // Cline.
  /^(?:User denied the tool execution|The user denied this edit\.[^<]{0,120}?) The user provided the following feedback:\s*<feedback>\s*/,
  // Cline and Roo Code, earlier versions.
  /^The user denied this operation and (?:provided the following feedback|responded with the message):\s*(?:<(?:feedback|user_message)>\s*)?/,
];
/** Text that clients add after the user's words, or write in their place. */
const ADDED = /\s*(?:<\/(?:feedback|user_message)>|\n\nNote: The user's next message may contain)[\s\S]*$/;
const NOT_SAID = /^The user wants to clarify these questions\./;
/**
 * Beginnings of failed results of calls that did not run: refused by the user or a permission rule, or not approved.
 */
const NOT_RUN: readonly RegExp[] = [
  // Claude Code.
  /^(?:The user doesn't want to |User rejected|\[Request interrupted|Claude requested permissions to )/,
  /^Permission to use [\s\S]{1,2000}? has been denied/,
  // opencode.
  /^The user (?:rejected permission to use|has specified a rule which prevents you from using) this specific tool call/,
  // Cline and Roo Code.
  /^(?:The user denied this |User denied the tool execution|Tool execution was cancelled because the user sent )/,
  // Gemini CLI.
  /^(?:\[Operation Cancelled\] Reason: |Tool execution denied by policy\.)/,
];
/** Whole results of calls that did not run, by clients and SDKs that do not mark failures. */
const NOT_RUN_WHOLE: readonly RegExp[] = [
  // Codex.
  /^(?:(?:exec command |patch )?rejected by user|user rejected MCP tool call)$/,
  /^(?:patch|`[^\n]{1,2000}`) rejected: [^\n]{1,500}$/,
  // Roo Code.
  /^\{"status":"denied",[\s\S]{0,8000}\}$/,
  /^The user denied this operation\.$/,
  // AI SDK, for providers without a format for denied calls.
  /^Tool (?:call )?execution denied\.$/,
];
const MAX_WHOLE = 10_000;
/** A request to wait, or an announcement of the user's next step. */
const PAUSE =
  /^[^\p{L}\p{N}]*(?:(?:ok(?:ay)?|hmm+|wait|hang on|hold on|stop|actually|no|please|an?|one|sec(?:ond)?|moment|minute)\b[\s,.!–-]*){0,6}(?:$|(?:i['’]ll|i will|i['’]ve (?:already )?done|i['’]m going to|let me|let['’]?s (?:talk|discuss|think))\b)/iu;

/**
 * The user's words about a call that was refused before it ran, often ""; `undefined` if its result shows no refusal.
 * Text of a result counts as words of the user only if the call failed and the text begins as clients begin it. All
 * other text of a result is data.
 */
export function readRefusal({ output }: Pick<ToolResultPart, "output">): string | undefined {
  return refusalWords(output)?.trim();
}

/** True if words with a refusal contain a reason, and not only a question or a request to wait. */
export function isReason(words: string): boolean {
  return splitSentences(words.slice(0, MAX_WHOLE), { anyCase: true }).some(
    ({ text }) => !/[?？؟]\W{0,8}$/.test(text) && !PAUSE.test(text),
  );
}

function refusalWords(output: ToolOutput): string | undefined {
  if (output.type === "execution-denied") return output.reason ?? "";
  const text = resultText(output);
  if (isErrorOutput(output)) {
    const opening = WITH_WORDS.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
    const said = opening === undefined ? "" : text.slice(opening.length).replace(ADDED, "");
    if (opening !== undefined) return NOT_SAID.test(said) ? "" : said;
    if (NOT_RUN.some((pattern) => pattern.test(text))) return "";
  }
  return text.length < MAX_WHOLE && NOT_RUN_WHOLE.some((pattern) => pattern.test(text.trim())) ? "" : undefined;
}

/** The text of a result without the JSON around it: content blocks, or `{"error": …}`. */
function resultText(output: ToolOutput): string {
  if (output.type === "json" || output.type === "error-json") return innerText(output.value) ?? toolOutputText(output);
  const text = toolOutputText(output);
  if (text.length > MAX_WHOLE || !text.startsWith('{"error":')) return text;
  try {
    return innerText(JSON.parse(text)) ?? text;
  } catch {
    return text;
  }
}

function innerText(value: unknown): string | undefined {
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (!isRecord(first)) return undefined;
  return [first.error, first.text].find((text) => typeof text === "string");
}
