import { join } from "node:path";
import { cliFolder, libraryFolder, serverFolder } from "../run/paths.mjs";

/**
 * A published package: its folder, and the source file of each entry point in `dist`.
 *
 * @typedef {object} Package
 * @property {string} name
 * @property {string} folder
 * @property {Readonly<Record<string, string>>} entries built file without its ending → source file
 */

/** @type {Package} */
export const library = {
  name: "throughline",
  folder: libraryFolder,
  entries: {
    index: "src/index.ts",
    "ai-sdk": "src/ai-sdk/ai-sdk.ts",
    chat: "src/chat/chat.ts",
    compact: "src/exports/compact.ts",
    context: "src/exports/context.ts",
    dexie: "src/store/dexie/dexie.ts",
    "internal/engine": "src/exports/internal/engine.ts",
    "internal/inspect": "src/exports/internal/inspect.ts",
    "internal/sql": "src/exports/internal/sql.ts",
    "internal/util": "src/exports/internal/util.ts",
    memory: "src/exports/memory.ts",
    messages: "src/exports/messages.ts",
    postgres: "src/store/postgres/postgres.ts",
    react: "src/react/react.ts",
    sqlite: "src/store/sqlite/sqlite.ts",
    store: "src/exports/store.ts",
    test: "src/test/test.ts",
    tokens: "src/exports/tokens.ts",
    transcript: "src/exports/transcript.ts",
  },
};

/** @type {Package} */
export const server = {
  name: "@throughline/server",
  folder: serverFolder,
  entries: { server: "src/server.ts", client: "src/client/client.ts", mcp: "src/mcp/mcp.ts" },
};

/** @type {Package} */
export const cli = {
  name: "@throughline/cli",
  folder: cliFolder,
  entries: { main: "src/main.ts", workspace: "src/workspace/workspace.ts" },
};

/** All published packages, each after those that it depends on. */
export const packages = [library, server, cli];

/**
 * All entry points: as they are imported, and the source file of each. The first entry of a package has the package's
 * own name.
 */
export const specifiers = packages.flatMap(({ name, folder, entries }) =>
  Object.entries(entries).map(([entry, file], index) => ({
    specifier: index === 0 ? name : `${name}/${entry}`,
    file: join(folder, file),
  })),
);

/** Aliases for Vite and Vitest: the Studio and the tests import the packages from their source. */
export const sourceAliases = specifiers.map(({ specifier, file }) => ({
  find: new RegExp(`^${specifier}$`),
  replacement: file,
}));
