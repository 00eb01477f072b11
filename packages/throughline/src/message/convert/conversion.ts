import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import { describePlace, type Place } from "../../errors/place.ts";
import { completeMessage, type DraftContext, type Message, type MessageDraft } from "../message.ts";
import type { Foreign, ForeignFormat, Part, ProviderOptions } from "../part.ts";
import { isRecord, type JsonRecord, omitUndefined, otherFields } from "../read-json.ts";

/** Something that the target form has no place for. */
export interface Loss {
  readonly place: Place;
  readonly what: string;
}

export interface ToForeignOptions {
  /** Told of each part that the target form cannot express. */
  readonly onLoss?: (loss: Loss) => void;
}

/** A result names only the id of its call: the names of the calls seen so far. */
export type ToolNames = Map<string, string>;

/** Reads a foreign list with one reader per message; an unreadable message is an error that names its place. */
export function readMessages(
  format: ForeignFormat,
  list: unknown,
  context: DraftContext,
  read: (raw: JsonRecord, index: number) => readonly MessageDraft[],
): Message[] {
  if (!Array.isArray(list)) throw new InvalidMessageError({ message: 0 }, "expected a list of messages");
  const drafts = list.flatMap((raw: unknown, index) => {
    if (!isRecord(raw)) throw new InvalidMessageError({ message: index }, "expected an object");
    return read(raw, index);
  });
  return drafts.map((draft, index) => completeMessage({ provenance: { format }, ...draft }, index, context));
}

/** Notes the shape and the unknown fields of a foreign thing; `undefined` where there is nothing to note. */
export function foreignOf(
  format: ForeignFormat,
  raw: JsonRecord,
  understood: readonly string[],
  form?: string,
): Foreign | undefined {
  const fields = otherFields(raw, understood);
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

export function readProviderOptions(value: unknown): ProviderOptions | undefined {
  return isRecord(value) ? (value as ProviderOptions) : undefined;
}

/** One setting of one provider. */
export function providerOption(part: Pick<Part, "providerOptions">, provider: string, name: string): unknown {
  return part.providerOptions?.[provider]?.[name];
}

export function lossOf(message: number, part: number, type: string, format: string): Loss {
  const place = { message, part };
  return {
    place,
    what: `${describePlace(place)}: ${format} has no place for a part of type "${type}"`,
  };
}
