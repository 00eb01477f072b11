import { useVocabularyCache } from "throughline/internal/util";
import { readOwnFile, writeWhole } from "./own-files.ts";

/**
 * Keeps the tables of tokens in files, because they take longer to build than to read.
 *
 * @param prefix Path of the files up to the name of the encoding. It has to change with the version of the program.
 */
export function keepVocabularies(prefix: string): void {
  const fs = process.getBuiltinModule("node:fs");
  useVocabularyCache({
    load: (encoding) => {
      const bytes = readOwnFile(fs, `${prefix}-${encoding}`);
      return bytes && new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    },
    store: (encoding, { buffer }) => writeWhole(fs, `${prefix}-${encoding}`, new Uint8Array(buffer)),
  });
}
