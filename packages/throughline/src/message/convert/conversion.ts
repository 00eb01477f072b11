import { AT_LEAST_ZERO, FUNCTION, type OptionRules } from "../../errors/check-options.ts";
import { describePlace, InvalidMessageError, type Place } from "../../errors/input-errors.ts";
import { isRecord, type JsonRecord, omitUndefined, otherFields } from "../../internal/json.ts";
import { isAllowedIn } from "../legality-rules.ts";
import { completeMessage, type DraftDefaults, type Message, type MessageDraft } from "../message.ts";
import { sentOutput, sentSummary } from "../message-text.ts";
import type { Foreign, ForeignFormat, Part, PartDraft, ProviderOptions } from "../part.ts";

/** A part that the target format cannot express. */
export interface Loss {
  readonly place: Place;
  readonly what: string;
}

export interface ToForeignOptions {
  /** Called for each part that the target format cannot express. */
  readonly onLoss?: (loss: Loss) => void;
}

/** Checks of the options of conversions to Throughline messages, and from them. */
export const FROM_RULES: OptionRules<Omit<DraftDefaults, "sessionId">> = {
  createdAt: AT_LEAST_ZERO,
  messageId: FUNCTION,
};
export const TO_RULES: OptionRules<ToForeignOptions> = { onLoss: FUNCTION };

/** Reports that the part at an index could not be written. */
export type ReportLoss = (part: number, what: string) => void;

/** Call id → tool name of the calls read so far. Results only carry the call id. */
export type ToolNames = Map<string, string>;

/** Reads a list of foreign messages with one reader per message. Throws with the position of an unreadable message. */
export function readMessages(
  format: ForeignFormat,
  list: unknown,
  defaults: DraftDefaults,
  read: (raw: JsonRecord, index: number) => readonly MessageDraft[],
): Message[] {
  return completeMessages(format, readDrafts(list, read), defaults);
}

export function readDrafts(
  list: unknown,
  read: (raw: JsonRecord, index: number) => readonly MessageDraft[],
): MessageDraft[] {
  if (!Array.isArray(list)) throw new InvalidMessageError({ message: 0 }, "expected an array of messages");
  // Array.from visits the holes of a sparse array; flatMap would skip them.
  return Array.from<unknown>(list).flatMap((raw, index) => {
    if (!isRecord(raw)) throw new InvalidMessageError({ message: index }, "expected an object");
    return read(raw, index);
  });
}

export function completeMessages(
  format: ForeignFormat,
  drafts: readonly MessageDraft[],
  defaults: DraftDefaults,
): Message[] {
  return drafts.map((draft, index) => completeMessage({ provenance: { format }, ...draft }, index, defaults));
}

/** Reads a list of parts, each an object with a type. */
export function readPartList(
  content: unknown,
  index: number,
  read: (raw: JsonRecord, part: number) => PartDraft,
): PartDraft[] {
  if (!Array.isArray(content)) {
    throw new InvalidMessageError({ message: index }, "content must be a string or an array of parts");
  }
  return Array.from<unknown>(content).map((raw, part) => {
    if (isTyped(raw)) return read(raw, part);
    throw new InvalidMessageError({ message: index, part }, "expected an object with a string `type`");
  });
}

export function isTyped(value: unknown): value is JsonRecord & { readonly type: string } {
  return isRecord(value) && typeof value.type === "string";
}

export function unknownRole(index: number, role: unknown): InvalidMessageError {
  return new InvalidMessageError(
    { message: index },
    typeof role === "string" ? `unknown role ${JSON.stringify(role)}` : "a message without a role",
  );
}

/** Names of the fields with a value. */
export function understood(read: JsonRecord): string[] {
  return Object.keys(omitUndefined(read));
}

/**
 * Records the shape and the unread fields of a foreign object; `undefined` if there are none. `inner` holds unread
 * content of read fields, by field name.
 */
export function foreignOf(
  format: ForeignFormat,
  raw: JsonRecord,
  known: readonly string[],
  form?: string,
  inner: JsonRecord = {},
): Foreign | undefined {
  const noted = { ...otherFields(raw, known), ...omitUndefined(inner) };
  const fields = Object.keys(noted).length === 0 ? undefined : noted;
  return fields === undefined && form === undefined ? undefined : omitUndefined({ format, form, fields });
}

/** Unread fields of an object that came from this format. */
export function fieldsFor(format: ForeignFormat, thing: { readonly foreign?: Foreign }): JsonRecord {
  return thing.foreign?.format === format ? (thing.foreign.fields ?? {}) : {};
}

/** Original shape of an object that came from this format. */
export function formFor(format: ForeignFormat, thing: { readonly foreign?: Foreign }): string | undefined {
  return thing.foreign?.format === format ? thing.foreign.form : undefined;
}

/** Original shape of an object, if it is a list of words. */
export function formsFor(format: ForeignFormat, thing: { readonly foreign?: Foreign }): readonly string[] {
  return formFor(format, thing)?.split(" ") ?? [];
}

/** Joins the words of a shape; `undefined` if there are none. */
export function joinForms(...forms: readonly (string | false | undefined)[]): string | undefined {
  return forms.filter(Boolean).join(" ") || undefined;
}

/** Merges fields. Known fields come first and take precedence over the unread foreign fields. */
export function withFields(known: object, fields: JsonRecord): JsonRecord {
  const defined = omitUndefined(known);
  return { ...defined, ...fields, ...defined };
}

/** True for a text part without other fields, which some formats write as a plain string. */
export function isPlainText(part: JsonRecord | undefined): part is { readonly type: "text"; readonly text: string } {
  return part?.type === "text" && typeof part.text === "string" && Object.keys(part).length === 2;
}

export function readProviderOptions(value: unknown): ProviderOptions | undefined {
  return isRecord(value) ? (value as ProviderOptions) : undefined;
}

/** Options of one provider; `undefined` if all of them are undefined. */
export function optionsFor(provider: string, options: JsonRecord): ProviderOptions | undefined {
  const defined: JsonRecord = omitUndefined(options);
  return Object.keys(defined).length === 0 ? undefined : { [provider]: defined };
}

/** Reads one option of one provider. */
export function providerOption(
  thing: { readonly providerOptions?: ProviderOptions },
  provider: string,
  name: string,
): unknown {
  return thing.providerOptions?.[provider]?.[name];
}

/** True if a message was read from this format, so it may hold format-specific content. */
export function isFrom(format: ForeignFormat, message: Message): boolean {
  return message.provenance?.format === format;
}

/** Replaces a compaction marker with its summary text, and the output of a compacted result with a note. */
export function asSent(part: Part): Part {
  if (part.type === "compaction-marker") return { type: "text", id: part.id, text: sentSummary(part.summary) };
  if (part.type !== "tool-result") return part;
  const output = sentOutput(part);
  return output === part.output ? part : { ...part, output };
}

/** True if providers accept the part from that role. Files are accepted only from the user. */
export function isAcceptedFrom({ role }: Message, part: Part): boolean {
  return isAllowedIn(role, part) && (part.type !== "file" || role === "user");
}

/** Splits parts into runs of results and runs of everything else, in order. */
export function splitResults(parts: readonly PartDraft[]): PartDraft[][] {
  const runs: PartDraft[][] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    const fits = last !== undefined && (last[0]?.type === "tool-result") === (part.type === "tool-result");
    if (fits) last.push(part);
    else runs.push([part]);
  }
  return runs.length === 0 ? [[]] : runs;
}

/** Reports losses to `onLoss`, except for step markers. */
export function lossReporter({ onLoss }: ToForeignOptions, message: number, target: string): ReportLoss {
  return (part, what) => {
    if (what === "step-start") return;
    const place = { message, part };
    onLoss?.({ place, what: `${describePlace(place)}: ${target} does not support parts of type "${what}"` });
  };
}
