import type { StoredBlob } from "../../ports/blob-store.ts";
import type { BlobRow } from "./tables.ts";

/** Copies, without the rest of a buffer that the bytes may be a part of. */
export function blobRows(space: string, blobs: readonly StoredBlob[]): BlobRow[] {
  return blobs.map(({ name, bytes }) => ({ space, name, bytes: new Uint8Array(bytes) }));
}
