import { lostAttempts } from "../errors/store-errors.ts";
import type { DocumentStore, StoredDocument } from "../ports/store.ts";

/** Maximum number of attempts. Each fails only if a concurrent write was faster. */
const MAX_TRIES = 100;

/** Location of a document. */
interface DocumentPlace {
  readonly documents: DocumentStore;
  readonly space: string;
  readonly name: string;
}

interface Changed {
  /** Revision before the change. */
  readonly before: number;
  readonly document: StoredDocument;
}

/**
 * Changes a document with optimistic locking: if another process wrote in between, the change is applied to the new
 * value. Nothing is written if `change` returns undefined.
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
  throw lostAttempts(`update document ${name}`, MAX_TRIES);
}
