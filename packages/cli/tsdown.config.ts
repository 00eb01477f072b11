import { defineConfig, type Rolldown, type UserConfig } from "tsdown";
import { lazyBuiltins, librarySource, oneFile } from "../../tools/package/bundle-plugins.mjs";
import { cli } from "../../tools/package/entry-points.mjs";
import { nativeTypes } from "../../tools/package/native-types.mjs";
import { recordBundled } from "../../tools/package/third-party.mjs";

const shared: UserConfig = {
  // Resolves the other packages to their built types.
  tsconfig: "tsconfig.build.json",
  platform: "node",
  fixedExtension: false,
  target: "es2023",
};

const runIsBuilt: Rolldown.Plugin = {
  name: "throughline:run-is-built",
  resolveId: (id) => (id === "./program/run.ts" ? { id: "./run.js", external: true } : undefined),
};

export default defineConfig([
  { ...shared, entry: { ...cli.entries, run: "src/program/run.ts" }, format: "esm", dts: nativeTypes, clean: true },
  // By itself: without chunks, it is one file to load.
  {
    ...shared,
    entry: { bin: "src/bin.ts" },
    format: "esm",
    plugins: [runIsBuilt],
    outputOptions: { comments: false },
    dts: false,
    clean: false,
  },
  {
    ...shared,
    entry: { "quick-commands": "src/quick-commands.ts" },
    // Node loads one such file in two thirds of the time of modules.
    format: "cjs",
    deps: { alwaysBundle: [/^throughline/, "commander", "jsonc-parser"] },
    // One of the bundled packages has a main file that bundlers cannot read.
    inputOptions: { resolve: { mainFields: ["module", "main"] } },
    plugins: [librarySource, lazyBuiltins, recordBundled("quick-commands").main, oneFile("quick-commands.cjs")],
    // Without comments. Names stay as they are, for error messages.
    outputOptions: {
      comments: false,
      minify: { compress: true, mangle: { toplevel: true, keepNames: true }, codegen: true },
    },
    dts: false,
    clean: false,
  },
]);
