import type { Message, Part } from "throughline";

type ProviderOptions = NonNullable<Message["providerOptions"]>;

/** Metadata of a message. Stored with it and not sent to a model. */
export interface MessageNotes {
  /** The receipt of the request that was answered. */
  readonly receipt?: string;
  readonly reasoning?: string;
  /** Number of images that were not sent, because the model takes none. */
  readonly imagesLeftOut?: number;
  /** Id of the interrupted message that this one continues. */
  readonly continues?: string;
}

const SPACE = "throughline";

export function notesOf({ providerOptions }: Pick<Message, "providerOptions">): MessageNotes {
  return (providerOptions?.[SPACE] ?? {}) as MessageNotes;
}

export function withNotes(notes: MessageNotes): { readonly providerOptions?: ProviderOptions } {
  const noted = Object.entries(notes).filter(([, value]) => value !== undefined && value !== "");
  return noted.length === 0 ? {} : { providerOptions: { [SPACE]: Object.fromEntries(noted) } };
}

/** Name of an attached file; `undefined` for the text of the message itself. */
export function attachmentName({ providerOptions }: Part): string | undefined {
  const name = providerOptions?.[SPACE]?.attachment;
  return typeof name === "string" ? name : undefined;
}

export function asAttachment(name: string): { readonly providerOptions: ProviderOptions } {
  return { providerOptions: { [SPACE]: { attachment: name } } };
}
