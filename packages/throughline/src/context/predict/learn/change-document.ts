import { StoreError } from "../../../errors/store-error.ts";
import type { DocumentStore, StoredDocument } from "../../../ports/document-store.ts";

/** Every try but the last fails because somebody else was faster. */
const MAX_TRIES = 100;

/** Where a document is. */
export interface DocumentPlace {
  readonly documents: DocumentStore;
  readonly space: string;
  readonly name: string;
}

export interface Changed {
  /** What it was before. */
  readonly before: number;
  readonly document: StoredDocument;
}

/**
 * Changes a document, starting from what is there: whatever another process wrote in between is kept, and changed. Nothing
 * is written where the change gives nothing.
 */
export async function changeDocument(
  { documents, space, name }: DocumentPlace,
  change: (value: unknown) => unknown,
): Promise<Changed | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { revision, value } = (await documents.get(space, name)) ?? { revision: 0, value: undefined };
    const changed = change(value);
    if (changed === undefined) return undefined;
    if (await documents.put(space, name, { revision, value: changed })) {
      return { before: revision, document: { revision: revision + 1, value: changed } };
    }
  }
  throw new StoreError("busy", `The document ${name} was written by others again and again.`);
}
