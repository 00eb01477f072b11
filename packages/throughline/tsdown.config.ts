import { defineConfig } from "tsdown";
import { library } from "../../tools/entry-points.mjs";
import { recordBundled } from "../../tools/third-party.mjs";

export default defineConfig({
  entry: { ...library.entries, bin: "src/bin.ts" },
  format: "esm",
  // Knows the DOM and JSX beside Node: the types of all entries are made in one pass, so that they share their files.
  tsconfig: "tsconfig.build.json",
  // The root, chat, dexie and react run anywhere; the other stores import Node, by its full names.
  platform: "neutral",
  deps: { neverBundle: [/^node:/] },
  // Read from beside the module that asks for it, and all modules end up in one folder.
  copy: ["src/embed/word-vectors/word-vectors.bin", "src/tokens/bpe/token-ranks.bin"],
  target: "es2023",
  plugins: [recordBundled("library").main],
  dts: true,
  clean: true,
});
