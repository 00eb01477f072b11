import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import { isRecord, type JsonRecord, omitUndefined, stringField, tryParseJson } from "../../internal/json.ts";
import { completeMessage, type Message, type MessageDraft, type Role } from "../message.ts";
import type { ForeignFormat, PartDraft } from "../part.ts";
import { readModelMessage } from "./ai-sdk.ts";
import { foreignOf, isTyped, readProviderOptions, understood, unknownRole } from "./conversion.ts";
import { readUiMessage } from "./ui-message.ts";

/** A row of a table that keeps each message's content as one JSON text in the AI SDK's form. */
export interface LegacyMessage {
  readonly id: string;
  readonly sessionId: string;
  readonly role: string;
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
}

type ReadContent = Pick<MessageDraft, "parts" | "foreign" | "providerOptions" | "provenance">;

interface Row {
  readonly role: Role;
  /** The ids of the calls that the provider ran itself. */
  readonly provided: Set<string>;
}

const SDK: ForeignFormat = "ai-sdk";
const UI: ForeignFormat = "ai-sdk-ui";
const ROLES: readonly string[] = ["system", "user", "assistant", "tool"] satisfies Role[];

/**
 * Reads a row of an older table: its content is a JSON text, or an object with a `text`, parts of the AI SDK of any
 * version, one of its messages, a `UIMessage`, or no JSON at all. What cannot be understood stays as text or as it is.
 *
 * @throws InvalidMessageError for a role that nobody has.
 *
 * @example
 * const message = legacyToRichMessage({ id: "m1", sessionId: "s1", role: "user", content: '"Hello"' });
 */
export function legacyToRichMessage({ id, sessionId, role, content, createdAt }: LegacyMessage): Message {
  if (!isRole(role)) throw unknownRole(0, role);
  if (typeof content !== "string") throw new InvalidMessageError({ message: 0 }, "content is not a text");
  const row = { role, provided: new Set<string>() };
  const parsed = tryParseJson(content);
  const read = parsed && readContent(parsed.value, row);
  const draft = { provenance: { format: SDK }, ...(read ?? readText(content)), id, role };
  return completeMessage(omitUndefined({ ...draft, createdAt }), 0, { sessionId });
}

function isRole(role: string): role is Role {
  return ROLES.includes(role);
}

/** What a parsed content says; `undefined` where it is no message's content but some JSON that somebody wrote. */
function readContent(value: unknown, row: Row): ReadContent | undefined {
  if (isRecord(value)) {
    const { parts, content } = value;
    if (Array.isArray(parts) && isUi(value, parts)) return readUi(value, parts, row);
    if (content !== undefined) return readMessage(value, content, row);
  }
  return typeof value === "string" ? readText(value) : readMessage({}, value, row);
}

/** A list that somebody called parts need not be one of a user interface. */
function isUi({ role, content }: JsonRecord, parts: readonly unknown[]): boolean {
  return parts.some(isTyped) || (typeof role === "string" && content === undefined);
}

/** As the SDK's messages have it whose content is a string. */
function readText(text: string): ReadContent {
  return { parts: [{ type: "text", text }], foreign: { format: SDK, form: "string" } };
}

/** A whole message: what it says beside its content is kept, also a role that is another than the row's. */
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

/** A text, a part, or a list of pieces; one that is not said to be a message's is one if it has a part that we know. */
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

/** A part of a kind that we know. Before version 5 its media type had the name of MIME. */
function readKnown(raw: JsonRecord, { role, provided }: Row): readonly PartDraft[] | undefined {
  const { mimeType, ...rest } = raw;
  const isOld = mimeType !== undefined && raw.mediaType === undefined;
  const content = [isOld ? { ...rest, mediaType: mimeType } : raw];
  const { parts } = readModelMessage({ role, content }, 0, provided);
  return parts.some((part) => part.type === "opaque") ? undefined : parts;
}

/** Version 4 of a user interface kept a call and its result in one part. */
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

/** The steps of a user interface's message are one message here, because the row was one. */
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
    return drafts.flatMap(({ role, parts }) => (isReply && role === "user" ? parts.map(asPut) : parts));
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    return [opaque(UI, raw)];
  }
}

/** What the user said in the middle of a reply was not said by the reply's side. */
function asPut(part: PartDraft): PartDraft {
  return part.type === "text" ? { ...part, synthetic: true } : part;
}

function opaque(format: ForeignFormat, value: unknown): PartDraft {
  return { type: "opaque", format, value };
}
