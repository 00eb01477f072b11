import { defineConfig, type Rolldown, type UserConfig } from "tsdown";
import { cli } from "../../tools/entry-points.mjs";

const shared: UserConfig = {
  // Resolves the other packages to their built types.
  tsconfig: "tsconfig.build.json",
  platform: "node",
  fixedExtension: false,
  target: "es2023",
};

/** The library reads its data files from beside its modules: in a bundle, from the package. */
const LIBRARY_URL = 'require("node:url").pathToFileURL(require.resolve("throughline")).href';
const dataOfLibrary: Rolldown.Plugin = {
  name: "throughline:data-of-library",
  transform: {
    filter: { id: /packages[\\/]throughline[\\/]dist[\\/]/ },
    handler: (code) =>
      code.replaceAll("import.meta.url", LIBRARY_URL).replaceAll("= import.meta;", `= { url: ${LIBRARY_URL} };`),
  },
};

export default defineConfig([
  { ...shared, entry: { ...cli.entries, bin: "src/bin.ts" }, format: "esm", dts: true, clean: true },
  {
    ...shared,
    entry: { often: "src/often.ts" },
    // Node loads one such file in two thirds of the time of modules.
    format: "cjs",
    deps: { alwaysBundle: [/^throughline/] },
    plugins: [dataOfLibrary],
    // Without comments. Names stay as they are, for error messages.
    outputOptions: { codeSplitting: false, comments: false, minify: { compress: false, mangle: false, codegen: true } },
    dts: false,
    clean: false,
  },
]);
