import { availableParallelism } from "node:os";
import process from "node:process";
import { defineConfig } from "vitest/config";
import { sourceAliases } from "./tools/package/entry-points.mjs";

/** Many tests wait for processes that they started, or for a page: two more workers than cores keep the cores busy. */
const WORKERS = availableParallelism() + 2;

/** Tests make many short-lived objects: with more room for them, their removal takes less processor time. */
const ROOM_FOR_NEW_OBJECTS = ["--max-semi-space-size=32"];

/** Files that need a process of their own: they measure CPU time and memory, or replace a module of Node. */
const ISOLATED = [
  "packages/throughline/test/complexity/**/*.test.ts",
  "packages/throughline/test/read-only-file.test.ts",
];

/**
 * Files for `npm run soak` only. They measure processor time, which depends on the machine, or they take long because
 * they kill processes, open several tabs, or open the Studio in many states and sizes. Others repeat at a server what
 * the library's test of the same name checks, or look at the tests' own server and at the shape of the code.
 */
const LONG_TESTS = [
  "packages/throughline/test/complexity/{held-thread,language,memories}.test.ts",
  "packages/throughline/test/processes/{backup,jobs,memories,segments}.test.ts",
  "packages/throughline/test/{postgres-server,turn-path}.test.ts",
  "packages/throughline/test/browser/{tabs,trouble,versions}.test.ts",
  "packages/throughline/src/store/sqlite/encrypt-sqlite.test.ts",
  "packages/server/test/{round-trips,two-servers}.test.ts",
  "apps/studio/e2e/{panel,panel-*,undo-reload,storage,tabs,size}.test.ts",
];
const EXCLUDED = ["**/node_modules/**", ...(process.env.THROUGHLINE_SOAK === undefined ? LONG_TESTS : [])];

export default defineConfig({
  resolve: { alias: sourceAliases, dedupe: ["react", "react-dom", "dexie"] },
  test: {
    // Property tests run thousands of cases, and the long forms kill many processes: a busy machine takes its time.
    testTimeout: process.env.THROUGHLINE_SOAK === undefined ? 120_000 : 600_000,
    hookTimeout: 120_000,
    // Timeout for conditions: immediate on an idle machine, slow on a busy one.
    expect: { poll: { timeout: 100_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "source",
          include: ["packages/*/src/**/*.test.{ts,tsx}", "apps/*/src/**/*.test.{ts,tsx}", "bench/**/*.test.ts"],
          exclude: EXCLUDED,
          maxWorkers: WORKERS,
          execArgv: ROOM_FOR_NEW_OBJECTS,
          // They change nothing outside of themselves: what one file imported serves the next.
          isolate: false,
          setupFiles: ["tools/property-cases.ts"],
          globalSetup: ["packages/throughline/test/shared-postgres.setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "node",
          include: ["packages/*/test/**/*.test.{ts,tsx}", "tools/**/*.test.ts"],
          exclude: [...EXCLUDED, "**/test/browser/**", ...ISOLATED],
          setupFiles: ["tools/property-cases.ts"],
          globalSetup: ["packages/throughline/test/shared-postgres.setup.ts"],
          maxWorkers: WORKERS,
          execArgv: ROOM_FOR_NEW_OBJECTS,
          // Most files load the whole command line or server, which takes more time than their tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          include: ISOLATED,
          exclude: EXCLUDED,
          setupFiles: ["tools/property-cases.ts"],
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["packages/*/test/browser/**/*.test.{ts,tsx}", "apps/*/e2e/**/*.test.{ts,tsx}"],
          exclude: EXCLUDED,
          // A page in Chromium takes more than a core: they come last.
          globalSetup: ["packages/throughline/test/browser/shared-browser.setup.ts"],
          maxWorkers: WORKERS,
          execArgv: ROOM_FOR_NEW_OBJECTS,
          // Playwright and the server are loaded once; a page belongs to the file that opened it.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
