import { defineConfig } from "tsdown";
import { cli } from "../../tools/entry-points.mjs";

export default defineConfig({
  entry: { ...cli.entries, bin: "src/bin.ts" },
  format: "esm",
  // Resolves the other packages to their built types.
  tsconfig: "tsconfig.build.json",
  platform: "node",
  fixedExtension: false,
  target: "es2023",
  dts: true,
  clean: true,
});
