import type { StoredBlob } from "../../../ports/blob-store.ts";
import type { SqlValue } from "../sql-driver.ts";
import type { Table } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";

export const BLOBS: Table = {
  name: "blobs",
  columns: ["space", "name", "bytes"],
  replacedBy: ["space", "name"],
  sealing: { key: ["space", "name"], content: { columns: ["bytes"], into: "bytes" } },
};

/** Of two blobs with one name the last one counts. */
export function blobRows(space: string, blobs: readonly StoredBlob[]): SqlValue[][] {
  const last = new Map(blobs.map(({ name, bytes }) => [toStoredText(name), bytes]));
  return [...last].map(([name, bytes]) => [space, name, bytes]);
}
