import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig } from "tsdown";
import { library } from "../../tools/package/entry-points.mjs";
import { gzipParts } from "../../tools/package/gzip-parts.mjs";
import { nativeTypes } from "../../tools/package/native-types.mjs";
import { recordBundled } from "../../tools/package/third-party.mjs";

/** Data files, each read from beside the module that needs it: all modules end up in one folder. */
const DATA = { words: "src/embed/word-vectors.bin", tokens: "src/tokens/bpe/token-ranks.bin" };
const TYPES = "data-file.d.ts";

function addData(): void {
  // A question needs the vectors of a few words, but a token count needs all ranks.
  writeFileSync(join("dist", basename(DATA.words)), gzipParts(readFileSync(DATA.words)));
  writeFileSync(join("dist", basename(DATA.tokens)), gzipSync(readFileSync(DATA.tokens), { level: 9 }));
  copyFileSync(join("src", TYPES), join("dist", TYPES));
}

export default defineConfig({
  entry: { ...library.entries, bin: "src/bin.ts" },
  format: "esm",
  // Knows the DOM and JSX beside Node: the types of all entries are made in one pass, so that they share their files.
  tsconfig: "tsconfig.build.json",
  // The root, chat, dexie and react run anywhere; the other stores import Node, by its full names.
  platform: "neutral",
  deps: { neverBundle: [/^node:/] },
  hooks: { "build:done": addData },
  target: "es2023",
  // The types have the documentation.
  outputOptions: { comments: { jsdoc: false } },
  plugins: [recordBundled("library").main],
  dts: nativeTypes,
  clean: true,
});
