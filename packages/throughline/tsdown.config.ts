import { defineConfig } from "tsdown";
import { recordBundled } from "../../tools/third-party.mjs";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    bin: "src/bin.ts",
    "ai-sdk": "src/ai-sdk/ai-sdk.ts",
    chat: "src/chat/chat.ts",
    client: "src/client/client.ts",
    dexie: "src/store/dexie/dexie.ts",
    mcp: "src/mcp/mcp.ts",
    postgres: "src/store/postgres/postgres.ts",
    react: "src/react/react.ts",
    server: "src/server/server.ts",
    sqlite: "src/store/sqlite/sqlite.ts",
    test: "src/test/test.ts",
    workspace: "src/workspace/workspace.ts",
  },
  format: "esm",
  // Knows the DOM and JSX beside Node: the types of all entries are made in one pass, so that they share their files.
  tsconfig: "tsconfig.build.json",
  // The root, chat, dexie and react run anywhere; the command line, the server and the other stores import Node, by its
  // full names.
  platform: "neutral",
  deps: { neverBundle: [/^node:/] },
  // Read from beside the module that asks for it, and all modules end up in one folder.
  copy: ["src/embed/word-vectors/word-vectors.bin", "src/tokens/bpe/token-ranks.bin"],
  target: "es2023",
  plugins: [recordBundled("library").main],
  dts: true,
  clean: true,
});
