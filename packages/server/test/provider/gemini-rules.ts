import { countAll, isJson, type Json, listOf, type Provider, type Refusal, sign } from "./provider.ts";

interface Turn {
  readonly role: string;
  readonly parts: readonly Json[];
}

/** Checks a body of `POST /v1beta/models/{model}:generateContent` as Google does. */
export function refuseGemini(body: Json, provider: Provider): Refusal | undefined {
  const turns = turnsOf(body.contents);
  const wrong = checkShape(turns) ?? checkPairs(turns) ?? checkSignatures(turns);
  if (wrong !== undefined) return refusal(wrong, false);
  const count = countGemini(body, provider);
  if (count <= provider.limit) return undefined;
  return refusal(
    `The input token count (${count}) exceeds the maximum number of tokens allowed (${provider.limit}).`,
    true,
  );
}

function refusal(message: string, isOverflow: boolean): Refusal {
  return { status: 400, body: { error: { code: 400, message, status: "INVALID_ARGUMENT" } }, message, isOverflow };
}

export function countGemini({ contents, systemInstruction, tools }: Json, provider: Provider): number {
  return countAll([systemInstruction, contents, tools], provider);
}

function turnsOf(contents: unknown): readonly Turn[] {
  const list = Array.isArray(contents) ? listOf(contents) : [contents].filter(isJson);
  return list.map(({ role = "user", parts }) => ({
    role: String(role),
    parts: Array.isArray(parts) ? listOf(parts) : [parts].filter(isJson),
  }));
}

function checkShape(turns: readonly Turn[]): string | undefined {
  if (turns.length === 0) return "* GenerateContentRequest.contents: contents is not specified\n";
  if (turns.some(({ role }) => !["user", "model", "function"].includes(role)))
    return "Please use a valid role: user, model.";
  const empty = turns.findIndex(({ parts }) => parts.length === 0);
  if (empty >= 0) return `* GenerateContentRequest.contents[${empty}].parts: contents.parts must not be empty.\n`;
  for (const [index, { parts }] of turns.entries()) {
    const at = parts.findIndex((part) => !DATA.some((field) => field in part));
    if (at >= 0)
      return `* GenerateContentRequest.contents[${index}].parts[${at}].data: required oneof field 'data' must have one initialized field\n`;
  }
  return undefined;
}

const DATA = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
];

const calls = ({ parts }: Turn) => parts.filter((part) => "functionCall" in part);
const responses = ({ parts }: Turn) => parts.filter((part) => "functionResponse" in part);
const namesOf = (parts: readonly Json[], field: string) =>
  parts.map((part) => String((part[field] as Json).name)).sort();

/** A turn with calls follows the user or results. Its results follow directly, one per call. */
function checkPairs(turns: readonly Turn[]): string | undefined {
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1];
    const asked = before === undefined ? [] : calls(before);
    if (responses(turn).length > 0 && asked.length === 0)
      return "Please ensure that function response turn comes immediately after a function call turn.";
    if (asked.length !== responses(turn).length)
      return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    if (
      asked.length > 0 &&
      namesOf(asked, "functionCall").join() !== namesOf(responses(turn), "functionResponse").join()
    )
      return "Please ensure that function response turn comes immediately after a function call turn.";
    if (calls(turn).length > 0 && (turn.role !== "model" || before === undefined || before.role === "model"))
      return "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
  }
  const last = turns.at(-1);
  if (last !== undefined && calls(last).length > 0)
    return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
  return last?.role === "model"
    ? "Please ensure that single turn requests end with a user role or the role field is empty."
    : undefined;
}

export const thoughtSignature = (id: string, name: string): string =>
  Buffer.from(`${id}.${sign(`thought:${id}:${name}`)}`).toString("base64");

/** In the current turn, the first call of each step has its original signature. */
function checkSignatures(turns: readonly Turn[]): string | undefined {
  const current = turns.findLastIndex((turn) => turn.role === "user" && responses(turn).length === 0);
  for (const [index, turn] of turns.entries()) {
    for (const [position, part] of calls(turn).entries()) {
      const { thoughtSignature: signature } = part;
      const { name } = part.functionCall as Json;
      if (signature === undefined && (position > 0 || index < current)) continue;
      if (signature === undefined)
        return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;
      if (!isOwnSignature(String(signature), String(name))) return "Thought signature is not valid.";
    }
  }
  return undefined;
}

/** Google's documented value for clients without a signature. */
const SKIPPED = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

function isOwnSignature(signature: string, name: string): boolean {
  if (SKIPPED.includes(signature)) return true;
  const [id = ""] = Buffer.from(signature, "base64").toString().split(".");
  return signature === thoughtSignature(id, name);
}
