import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import { describePlace, type Place } from "../../errors/place.ts";
import { isRecord, type JsonRecord, omitUndefined, otherFields } from "../../internal/json.ts";
import { isAllowedIn } from "../legality-rules.ts";
import { completeMessage, type DraftContext, type Message, type MessageDraft } from "../message.ts";
import type { Foreign, ForeignFormat, Part, PartDraft, ProviderOptions } from "../part.ts";

/** Something that the target form has no place for. */
export interface Loss {
  readonly place: Place;
  readonly what: string;
}

export interface ToForeignOptions {
  /** Told of each part that the target form cannot express. */
  readonly onLoss?: (loss: Loss) => void;
}

/** Says that the part at that index could not be written. */
export type Lose = (part: number, what: string) => void;

/** A result names only the id of its call: the names of the calls seen so far. */
export type ToolNames = Map<string, string>;

/** Reads a foreign list with one reader per message; an unreadable message is an error that names its place. */
export function readMessages(
  format: ForeignFormat,
  list: unknown,
  context: DraftContext,
  read: (raw: JsonRecord, index: number) => readonly MessageDraft[],
): Message[] {
  return completeMessages(format, readDrafts(list, read), context);
}

export function readDrafts(
  list: unknown,
  read: (raw: JsonRecord, index: number) => readonly MessageDraft[],
): MessageDraft[] {
  if (!Array.isArray(list)) throw new InvalidMessageError({ message: 0 }, "expected a list of messages");
  // A copy, because a list with holes would let them pass unread.
  return Array.from<unknown>(list).flatMap((raw, index) => {
    if (!isRecord(raw)) throw new InvalidMessageError({ message: index }, "expected an object");
    return read(raw, index);
  });
}

export function completeMessages(
  format: ForeignFormat,
  drafts: readonly MessageDraft[],
  context: DraftContext,
): Message[] {
  return drafts.map((draft, index) => completeMessage({ provenance: { format }, ...draft }, index, context));
}

/** Reads a list of parts, each an object with a type. */
export function readPartList(
  content: unknown,
  index: number,
  read: (raw: JsonRecord, part: number) => PartDraft,
): PartDraft[] {
  if (!Array.isArray(content)) {
    throw new InvalidMessageError({ message: index }, "content is neither a text nor a list of parts");
  }
  return Array.from<unknown>(content).map((raw, part) => {
    if (isTyped(raw)) return read(raw, part);
    throw new InvalidMessageError({ message: index, part }, "expected an object with a type");
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

/** The names of the fields that could be read: those whose value is not undefined. */
export function understood(read: JsonRecord): string[] {
  return Object.keys(omitUndefined(read));
}

/**
 * Notes the shape and the unknown fields of a foreign thing; `undefined` where there is nothing to note. What a known
 * field held beyond our understanding is given in `inner`, under the name of that field.
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

/** The unknown fields of a thing that came from this format. */
export function fieldsFor(format: ForeignFormat, thing: { readonly foreign?: Foreign }): JsonRecord {
  return thing.foreign?.format === format ? (thing.foreign.fields ?? {}) : {};
}

/** The shape that a thing had in this format. */
export function formFor(format: ForeignFormat, thing: { readonly foreign?: Foreign }): string | undefined {
  return thing.foreign?.format === format ? thing.foreign.form : undefined;
}

/** The shape that a thing had in this format, where it is told in several words. */
export function formsFor(format: ForeignFormat, thing: { readonly foreign?: Foreign }): readonly string[] {
  return formFor(format, thing)?.split(" ") ?? [];
}

/** The several words of a shape as one; `undefined` where there are none. */
export function joinForms(...forms: readonly (string | false | undefined)[]): string | undefined {
  return forms.filter(Boolean).join(" ") || undefined;
}

/** What we know comes first and wins; the fields that the foreign form had beside it follow. */
export function withFields(known: object, fields: JsonRecord): JsonRecord {
  const defined = omitUndefined(known);
  return { ...defined, ...fields, ...defined };
}

/** A text with nothing beside it, which some forms write as a string alone. */
export function isPlainText(part: JsonRecord | undefined): part is { readonly type: "text"; readonly text: string } {
  return part?.type === "text" && typeof part.text === "string" && Object.keys(part).length === 2;
}

export function readProviderOptions(value: unknown): ProviderOptions | undefined {
  return isRecord(value) ? (value as ProviderOptions) : undefined;
}

/** Options of one provider; `undefined` where all of them are. */
export function optionsFor(provider: string, options: JsonRecord): ProviderOptions | undefined {
  const defined: JsonRecord = omitUndefined(options);
  return Object.keys(defined).length === 0 ? undefined : { [provider]: defined };
}

/** One setting of one provider. */
export function providerOption(
  thing: { readonly providerOptions?: ProviderOptions },
  provider: string,
  name: string,
): unknown {
  return thing.providerOptions?.[provider]?.[name];
}

/** Whether a message was read from this format, and so may hold what only this format understands. */
export function isFrom(format: ForeignFormat, message: Message): boolean {
  return message.provenance?.format === format;
}

/** A marker stands in a window for its summary: it is written as that text. */
export function spoken(part: Part): Part {
  return part.type === "compaction-marker" ? { type: "text", id: part.id, text: part.summary } : part;
}

/** Whether a provider takes the part from that side: it takes files from the user alone. */
export function isTakenFrom({ role }: Message, part: Part): boolean {
  return isAllowedIn(role, part) && (part.type !== "file" || role === "user");
}

/** Runs of results and runs of everything else, in order. */
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

/** Tells `onLoss`; that a step began is no loss. */
export function lossReporter({ onLoss }: ToForeignOptions, message: number, target: string): Lose {
  return (part, what) => {
    if (what === "step-start") return;
    const place = { message, part };
    onLoss?.({ place, what: `${describePlace(place)}: ${target} has no place for a part of type "${what}"` });
  };
}
