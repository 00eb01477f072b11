import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/index.ts", "src/bin.ts"],
  format: "esm",
  // The root entry runs anywhere; only the command line imports Node, by its full names.
  platform: "neutral",
  deps: { neverBundle: [/^node:/] },
  target: "es2023",
  dts: true,
  clean: true,
});
