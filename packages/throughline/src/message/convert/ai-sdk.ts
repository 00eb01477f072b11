import { checkOptions } from "../../errors/check-options.ts";
import { type JsonRecord, omitUndefined } from "../../internal/json.ts";
import { isAllowedIn } from "../legality-rules.ts";
import type { DraftDefaults, Message, MessageDraft, Role } from "../message.ts";
import type { Part, PartDraft } from "../part.ts";
import { readPart, writePart } from "./ai-sdk-parts.ts";
import type { ModelMessage } from "./ai-sdk-types.ts";
import {
  asSent,
  FROM_RULES,
  fieldsFor,
  foreignOf,
  formFor,
  isFrom,
  isPlainText,
  lossReporter,
  readMessages,
  readPartList,
  readProviderOptions,
  TO_RULES,
  type ToForeignOptions,
  understood,
  unknownRole,
  withFields,
} from "./conversion.ts";

const FORMAT = "ai-sdk";
const ROLES: readonly unknown[] = ["system", "user", "assistant", "tool"] satisfies Role[];

/** Any object with a role and content, such as the `ModelMessage` of any AI SDK version. */
export interface ForeignModelMessage {
  readonly role: string;
  readonly content: unknown;
}

/**
 * Converts AI SDK messages to Throughline messages. Parts of unknown kinds are kept unchanged. The `args` and `result`
 * of versions before 5 are read too, and written in the current form.
 *
 * @param messages AI SDK messages of any version.
 * @param sessionId Session id of the converted messages. Default: empty.
 * @param defaults Ids and times of messages that have none.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const rich = convertModelToRich([{ role: "user", content: "Hello" }], "session-1");
 */
export function convertModelToRich(
  messages: readonly ForeignModelMessage[],
  sessionId = "",
  defaults: Omit<DraftDefaults, "sessionId"> = {},
): Message[] {
  checkOptions("convertModelToRich", defaults, FROM_RULES);
  const provided = new Set<string>();
  return readMessages(FORMAT, messages, { ...defaults, sessionId }, (raw, index) => [
    readModelMessage(raw, index, provided),
  ]);
}

/** Reads one message. `provided` collects the ids of calls that the provider ran. */
export function readModelMessage(raw: JsonRecord, index: number, provided: Set<string> = new Set()): MessageDraft {
  const { role, content } = raw;
  if (!ROLES.includes(role)) throw unknownRole(index, role);
  const form = typeof content === "string" ? "string" : undefined;
  const providerOptions = readProviderOptions(raw.providerOptions);
  const known = understood({ role, content: true, providerOptions });
  const parts = typeof content === "string" ? [textPart(content)] : readPartList(content, index, readPart);
  return omitUndefined({
    role: role as Role,
    parts: parts.map((part) => markProvided(part, provided)),
    providerOptions,
    foreign: foreignOf(FORMAT, raw, known, form),
  });
}

function textPart(text: string): PartDraft {
  return { type: "text", text };
}

/** The AI SDK marks the call that the provider ran, but not its result. */
function markProvided(part: PartDraft, provided: Set<string>): PartDraft {
  if (part.type === "tool-call" && part.providerExecuted === true) provided.add(part.toolCallId);
  return part.type === "tool-result" && provided.has(part.toolCallId) ? { ...part, providerExecuted: true } : part;
}

/**
 * Converts Throughline messages to AI SDK messages, versions 6 and 7. A summary becomes text. Parts that the AI SDK
 * cannot express are reported to `onLoss`.
 *
 * @param messages Throughline messages.
 * @param options Callback for parts that cannot be expressed.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const prompt = convertRichToModel(messages, { onLoss: ({ what }) => console.warn(what) });
 */
export function convertRichToModel(messages: readonly Message[], options: ToForeignOptions = {}): ModelMessage[] {
  checkOptions("convertRichToModel", options, TO_RULES);
  return messages.flatMap((message, index) => {
    const own = isFrom(FORMAT, message);
    const lose = lossReporter(options, index, "the AI SDK");
    const content = message.parts.flatMap((part, partIndex): JsonRecord | readonly JsonRecord[] => {
      const sent = asSent(part);
      const written = isAccepted(message, sent, own) ? writePart(sent, own) : undefined;
      if (written === undefined) lose(partIndex, part.type);
      return written ?? [];
    });
    const wasEmpty = own && message.parts.length === 0;
    if (content.length === 0 && !wasEmpty) return [];
    const written = message.role === "system" ? writeSystem(message, content) : [writeMessage(message, content)];
    return written as unknown as ModelMessage[];
  });
}

/** Version 6 refuses file references, so references are written only if they came from the AI SDK (version 7). */
function isAccepted({ role, provenance }: Message, part: Part, own: boolean): boolean {
  if (role === "system") return part.type === "text";
  const isReference = part.type === "file" && part.data.type === "reference";
  if (isReference && !own && provenance !== undefined && provenance.format !== "ai-sdk-ui") return false;
  return own || isAllowedIn(role, part);
}

function writeMessage(message: Message, content: readonly JsonRecord[]): JsonRecord {
  const [first, ...more] = content;
  const isString = formFor(FORMAT, message) === "string" && more.length === 0 && isPlainText(first);
  const { role, providerOptions } = message;
  return withFields({ role, content: isString ? first.text : content, providerOptions }, fieldsFor(FORMAT, message));
}

/**
 * The AI SDK requires one text. Texts with their own provider options, such as cache marks, become separate messages.
 */
function writeSystem(message: Message, content: readonly JsonRecord[]): JsonRecord[] {
  const isMarked = content.some((part) => part.providerOptions !== undefined);
  const runs = isMarked ? content.map((part) => [part]) : [content];
  return runs.map((run) => {
    const ofPart = readProviderOptions(run[0]?.providerOptions);
    const known = {
      role: message.role,
      content: run.map((part) => part.text).join("\n"),
      providerOptions: ofPart === undefined ? message.providerOptions : { ...message.providerOptions, ...ofPart },
    };
    return withFields(known, fieldsFor(FORMAT, message));
  });
}
