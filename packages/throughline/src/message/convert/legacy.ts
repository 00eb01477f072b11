import { InvalidMessageError } from "../../errors/input-errors.ts";
import { isRecord, type JsonRecord, omitUndefined, stringField, tryParseJson } from "../../internal/json.ts";
import { completeMessage, type Message, type MessageDraft, type Role } from "../message.ts";
import type { ForeignFormat, PartDraft } from "../part.ts";
import { readModelMessage } from "./ai-sdk.ts";
import { foreignOf, isTyped, readProviderOptions, understood, unknownRole } from "./conversion.ts";
import { readUiMessage } from "./ui-message.ts";

/** A database row with the content of a message as JSON text in an AI SDK format. */
export interface LegacyMessage {
  /** Id of the message. */
  readonly id: string;
  /** Id of its session. */
  readonly sessionId: string;
  /** `system`, `user`, `assistant` or `tool`. */
  readonly role: string;
  /** Content as stored: JSON or plain text. */
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
}

type ReadContent = Pick<MessageDraft, "parts" | "foreign" | "providerOptions" | "provenance">;

interface Row {
  readonly role: Role;
  /** Ids of calls that the provider ran. */
  readonly provided: Set<string>;
}

const SDK: ForeignFormat = "ai-sdk";
const UI: ForeignFormat = "ai-sdk-ui";
const ROLES: readonly string[] = ["system", "user", "assistant", "tool"] satisfies Role[];

/**
 * Converts a row of an older chat table to a Throughline message. The content may be a JSON string, an object with
 * `text`, parts or a message of any AI SDK version, a `UIMessage`, or plain text. Content of an unknown kind is kept as
 * text or unchanged.
 *
 * @param row Row with its role and its content as text.
 * @throws InvalidMessageError if the role is unknown or the content is not a string.
 *
 * @example
 * const message = legacyToRichMessage({ id: "m1", sessionId: "s1", role: "user", content: '"Hello"' });
 */
export function legacyToRichMessage({ id, sessionId, role, content, createdAt }: LegacyMessage): Message {
  if (!isRole(role)) throw unknownRole(0, role);
  if (typeof content !== "string") throw new InvalidMessageError({ message: 0 }, "content must be a string");
  const row = { role, provided: new Set<string>() };
  const parsed = tryParseJson(content);
  const read = parsed && readContent(parsed.value, row);
  const draft = { provenance: { format: SDK }, ...(read ?? readText(content)), id, role };
  return completeMessage(omitUndefined({ ...draft, createdAt }), 0, { sessionId });
}

function isRole(role: string): role is Role {
  return ROLES.includes(role);
}

/** Reads parsed content; `undefined` if it is plain JSON rather than the content of a message. */
function readContent(value: unknown, row: Row): ReadContent | undefined {
  if (isRecord(value)) {
    const { parts, content } = value;
    if (Array.isArray(parts) && isUi(value, parts)) return readUi(value, parts, row);
    if (content !== undefined) return readMessage(value, content, row);
  }
  return typeof value === "string" ? readText(value) : readMessage({}, value, row);
}

/** Distinguishes UI messages from other objects with a `parts` list. */
function isUi({ role, content }: JsonRecord, parts: readonly unknown[]): boolean {
  return parts.some(isTyped) || (typeof role === "string" && content === undefined);
}

/** Same form as an AI SDK message with string content. */
function readText(text: string): ReadContent {
  return { parts: [{ type: "text", text }], foreign: { format: SDK, form: "string" } };
}

/** Reads a whole message. Other fields are kept, also a role that differs from the row's. */
function readMessage(raw: JsonRecord, content: unknown, row: Row): ReadContent | undefined {
  const parts = readParts(content, row, typeof raw.role === "string");
  if (parts === undefined) return undefined;
  const providerOptions = readProviderOptions(raw.providerOptions);
  const known = understood({ role: ownRole(raw, row), content, providerOptions });
  const form = typeof content === "string" ? "string" : undefined;
  return omitUndefined({ parts, providerOptions, foreign: foreignOf(SDK, raw, known, form) });
}

function ownRole(raw: JsonRecord, { role }: Row): Role | undefined {
  return raw.role === role ? role : undefined;
}

/** Reads a text, a part or a list of parts. A list outside a message counts if it has at least one known part. */
function readParts(value: unknown, row: Row, isMessage: boolean): readonly PartDraft[] | undefined {
  if (!Array.isArray(value)) return readPiece(value, row);
  const pieces = value.map((item: unknown) => ({ item, parts: readPiece(item, row) }));
  const isKnown = pieces.some(({ item, parts }) => isTyped(item) && parts !== undefined);
  if (pieces.length > 0 && !isKnown && !isMessage) return undefined;
  return pieces.flatMap(({ item, parts }) => parts ?? [opaque(SDK, item)]);
}

function readPiece(value: unknown, row: Row): readonly PartDraft[] | undefined {
  if (typeof value === "string") return [{ type: "text", text: value }];
  if (isTyped(value)) return readInvocation(value, row) ?? readKnown(value, row);
  const text = isRecord(value) ? stringField(value, "text") : undefined;
  if (!isRecord(value) || text === undefined) return undefined;
  return [omitUndefined({ type: "text", text, foreign: foreignOf(SDK, value, ["text"]) })];
}

/** Reads a part of a known kind. Versions before 5 call the media type `mimeType`. */
function readKnown(raw: JsonRecord, { role, provided }: Row): readonly PartDraft[] | undefined {
  const { mimeType, ...rest } = raw;
  const isOld = mimeType !== undefined && raw.mediaType === undefined;
  const content = [isOld ? { ...rest, mediaType: mimeType } : raw];
  const { parts } = readModelMessage({ role, content }, 0, provided);
  return parts.some((part) => part.type === "opaque") ? undefined : parts;
}

/** UI messages of version 4 hold a call and its result in one part. */
function readInvocation(raw: JsonRecord, row: Row): readonly PartDraft[] | undefined {
  const { toolInvocation: invocation, ...beside } = raw;
  if (raw.type !== "tool-invocation" || !isRecord(invocation)) return undefined;
  const { state, result, ...called } = invocation;
  const { toolCallId, toolName } = invocation;
  const call = readKnown({ ...beside, ...called, type: "tool-call" }, row);
  const isDone = state === "result" || result !== undefined;
  const answer = isDone ? readKnown({ type: "tool-result", toolCallId, toolName, result }, row) : [];
  return call && answer && [...call, ...answer];
}

/** The steps of a UI message stay one message here, because they were one row. */
function readUi(raw: JsonRecord, parts: readonly unknown[], row: Row): ReadContent {
  const id = stringField(raw, "id");
  return omitUndefined({
    parts: parts.flatMap((part) => readUiPart(part, row)),
    provenance: omitUndefined({ format: UI, id }),
    foreign: foreignOf(UI, raw, understood({ id, role: ownRole(raw, row), parts })),
  });
}

function readUiPart(raw: unknown, row: Row): readonly PartDraft[] {
  if (!isTyped(raw)) return readPiece(raw, row) ?? [opaque(UI, raw)];
  const isReply = row.role === "assistant" || row.role === "tool";
  if (raw.type === "step-start" && isReply) return [{ type: "step-start" }];
  const invocation = readInvocation(raw, row);
  if (invocation !== undefined) return invocation;
  try {
    const drafts = readUiMessage({ role: isReply ? "assistant" : "user", parts: [raw] }, 0);
    return drafts.flatMap(({ role, parts }) => (isReply && role === "user" ? parts.map(markSynthetic) : parts));
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    return [opaque(UI, raw)];
  }
}

/** Marks user text inside an assistant message as synthetic. */
function markSynthetic(part: PartDraft): PartDraft {
  return part.type === "text" ? { ...part, synthetic: true } : part;
}

function opaque(format: ForeignFormat, value: unknown): PartDraft {
  return { type: "opaque", format, value };
}
