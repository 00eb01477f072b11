import { InvalidMessageError } from "../errors/input-errors.ts";
import { isRecord, type JsonRecord } from "../internal/json.ts";
import type { Message, Role } from "./message.ts";
import type { PartType } from "./part.ts";
import { isToolOutput } from "./tool-output.ts";

type Check = readonly [isValid: (value: unknown) => boolean, wanted: string];
type Checks = Readonly<Record<string, Check>>;

const ROLES: readonly unknown[] = ["system", "user", "assistant", "tool"] satisfies Role[];
const TEXT: Check = [(value) => typeof value === "string", "a string"];
const OBJECT: Check = [isRecord, "an object"];
const NUMBER: Check = [(value) => Number.isFinite(value), "a number"];
const FLAG: Check = [(value) => typeof value === "boolean", "true or false"];
const OBJECTS: Check = [
  (value) => isRecord(value) && Object.values(value).every((one) => isRecord(one)),
  "an object with an object for each provider",
];
const FOREIGN: Check = [
  (value) => isRecord(value) && typeof value.format === "string" && (value.fields ?? undefined) !== null,
  "an object with a format",
];
const FILE_DATA: Check = [isFileData, "an object of the type data, url, reference or text with its content"];
const OUTPUT: Check = [isToolOutput, 'a tool output, such as { type: "text", value: "…" }'];

const CALL: Checks = { toolCallId: TEXT, toolName: TEXT };
const FILE: Checks = { mediaType: TEXT, data: FILE_DATA };
/** Required fields of each type of part, besides the id. */
const PARTS: Readonly<Record<PartType, Checks>> = {
  text: { text: TEXT },
  reasoning: { text: TEXT },
  file: FILE,
  "reasoning-file": FILE,
  "tool-call": CALL,
  "tool-result": { ...CALL, output: OUTPUT },
  "tool-approval-request": { approvalId: TEXT, toolCallId: TEXT },
  "tool-approval-response": { approvalId: TEXT, approved: FLAG },
  "step-start": {},
  "compaction-marker": { summary: TEXT, compactedAt: NUMBER, messagesCompacted: NUMBER, originalTokens: NUMBER },
  opaque: { format: TEXT },
};
const OPTIONAL_PART: Checks = {
  providerOptions: OBJECTS,
  foreign: FOREIGN,
  filename: TEXT,
  providerExecuted: FLAG,
  compactedAt: NUMBER,
  originalTokens: NUMBER,
  reason: TEXT,
};
const MESSAGE: Checks = { id: TEXT, sessionId: TEXT };
const OPTIONAL_MESSAGE: Checks = {
  createdAt: NUMBER,
  tokens: NUMBER,
  parentId: TEXT,
  modelId: TEXT,
  finishReason: TEXT,
  isSummary: FLAG,
  isCompactionTrigger: FLAG,
  providerOptions: OBJECTS,
  foreign: FOREIGN,
  provenance: OBJECT,
  error: OBJECT,
  usage: OBJECT,
};

/** Levels of nested values that every store can write. */
const MAX_DEPTH = 500;

/**
 * Checks messages before they are stored: an append-only history would keep an invalid one for good.
 *
 * @throws InvalidMessageError with the position of the first invalid message. It names the converter for messages of
 *   Gemini and of the AI SDK's user interface, which have `parts` too.
 */
export function checkMessages(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) checkMessage(message, index);
}

function checkMessage(message: Message, index: number): void {
  const fields: JsonRecord = { ...message };
  const advice = adviceFor(fields);
  const refuse = (problem: string, part?: number): never => {
    throw new InvalidMessageError(part === undefined ? { message: index } : { message: index, part }, problem, advice);
  };
  if (!ROLES.includes(message.role)) refuse(`unknown role ${shown(message.role)}`);
  const problem = findProblem(fields, MESSAGE, OPTIONAL_MESSAGE);
  if (problem !== undefined) refuse(problem);
  for (const [place, part] of Array.from<unknown>(message.parts).entries()) {
    const found = findPartProblem(part);
    if (found !== undefined) refuse(found, place);
  }
  const unstorable = findUnstorable(fields, []);
  if (unstorable !== undefined) refuse(unstorable);
}

function findPartProblem(part: unknown): string | undefined {
  if (!isRecord(part)) return "expected an object";
  const { type } = part;
  if (typeof type !== "string" || !Object.hasOwn(PARTS, type)) return `unknown type of part ${shown(type)}`;
  return findProblem(part, { id: TEXT, ...PARTS[type as PartType] }, OPTIONAL_PART);
}

function findProblem(fields: JsonRecord, required: Checks, optional: Checks): string | undefined {
  for (const [name, [isValid, wanted]] of Object.entries(required)) {
    if (!isValid(fields[name])) return `${name} must be ${wanted}`;
  }
  for (const [name, [isValid, wanted]] of Object.entries(optional)) {
    if (fields[name] !== undefined && !isValid(fields[name])) return `${name} must be ${wanted}`;
  }
  return undefined;
}

function isFileData(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { type, data, url, reference, text } = value;
  if (type === "data") return typeof data === "string" || data instanceof Uint8Array;
  if (type === "url") return typeof url === "string";
  if (type === "text") return typeof text === "string";
  return type === "reference" && isRecord(reference);
}

/** The first value that JSON cannot hold. */
function findUnstorable(value: unknown, above: readonly object[]): string | undefined {
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") {
    return `a value of type ${typeof value} cannot be stored`;
  }
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return undefined;
  if (above.includes(value)) return "a value that contains itself cannot be stored";
  if (above.length === MAX_DEPTH) return `values nested more than ${MAX_DEPTH} levels deep cannot be stored`;
  const path = [...above, value];
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    const found = findUnstorable(one, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

const GEMINI_FIELDS = ["text", "functionCall", "functionResponse", "inlineData", "fileData"];
const UI_TYPE = /^(?:tool-(?!call$|result$|approval-)|data-|source-|dynamic-tool$|steering-message$)/;

/** Advice for a message that is not valid: the converter, if it has another format. */
function adviceFor({ role, sessionId, parts }: JsonRecord): string | undefined {
  const list = Array.isArray(parts) ? parts.filter((part) => isRecord(part)) : [];
  const isGemini = ({ type, ...part }: JsonRecord) => type === undefined && GEMINI_FIELDS.some((name) => name in part);
  if (role === "model" || role === "function" || list.some(isGemini))
    return convertWith("Gemini", "convertGeminiToRich");
  const isUi = ({ type, id }: JsonRecord) =>
    typeof type === "string" && (UI_TYPE.test(type) || (sessionId === undefined && id === undefined));
  return list.some(isUi) ? convertWith("AI SDK UI", "convertUiToRich") : undefined;
}

function convertWith(format: string, convert: string): string {
  return `Convert ${format} messages first, with ${convert} from "throughline/messages".`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : typeof value;
}
