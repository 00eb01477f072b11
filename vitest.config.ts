import { defineConfig } from "vitest/config";
import { sourceAliases } from "./tools/source-aliases.mjs";

/** Many tests wait for processes that they started: no core is kept free. */
const EVERY_CORE = "100%";

export default defineConfig({
  resolve: { alias: sourceAliases, dedupe: ["react", "react-dom", "dexie"] },
  test: {
    // Property tests run thousands of cases; on a machine under load they take their time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: "source",
          include: ["packages/*/src/**/*.test.{ts,tsx}", "apps/*/src/**/*.test.{ts,tsx}"],
          maxWorkers: EVERY_CORE,
          // They change nothing outside of themselves: what one file imported serves the next.
          isolate: false,
          setupFiles: process.env.THROUGHLINE_SOAK ? ["tools/long-properties.ts"] : [],
        },
      },
      {
        extends: true,
        test: {
          name: "node",
          include: ["packages/*/test/**/*.test.{ts,tsx}", "tools/*.test.ts"],
          exclude: ["**/node_modules/**", "**/test/browser/**"],
          maxWorkers: EVERY_CORE,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["packages/*/test/browser/**/*.test.{ts,tsx}", "apps/*/e2e/**/*.test.{ts,tsx}"],
          // Each file starts Chromium, which takes more than a core: they come last, two at a time.
          maxWorkers: 2,
          // A machine under load may be too slow for a click; what is broken fails three times.
          retry: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
