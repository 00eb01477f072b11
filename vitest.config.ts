import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts", "apps/*/src/**/*.test.ts", "tools/*.test.ts"],
    // Property tests run thousands of cases; on a machine under load they take their time.
    testTimeout: 120_000,
  },
});
