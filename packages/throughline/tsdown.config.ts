import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    bin: "src/bin.ts",
    postgres: "src/store/postgres/postgres.ts",
    sqlite: "src/store/sqlite/sqlite.ts",
    test: "src/test/test.ts",
  },
  format: "esm",
  // The root entry runs anywhere; the command line and the stores import Node, by its full names.
  platform: "neutral",
  deps: { neverBundle: [/^node:/] },
  // Read from beside the module that asks for it, and all modules end up in one folder.
  copy: ["src/embed/word-vectors/word-vectors.bin"],
  target: "es2023",
  dts: true,
  clean: true,
});
