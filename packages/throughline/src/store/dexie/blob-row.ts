import type { StoredBlob } from "../../ports/store.ts";
import type { BlobRow } from "./tables.ts";

/** Copies only the given bytes, not the whole buffer that they may be a view of. */
export function blobRows(space: string, blobs: readonly StoredBlob[]): BlobRow[] {
  return blobs.map(({ name, bytes }) => ({ space, name, bytes: new Uint8Array(bytes) }));
}
