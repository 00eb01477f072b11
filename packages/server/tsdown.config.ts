import { fileURLToPath } from "node:url";
import { defineConfig } from "tsdown";
import { server } from "../../tools/package/entry-points.mjs";
import { nativeTypes } from "../../tools/package/native-types.mjs";

/** The page at /docs. Copied: as a dependency it would bring 12 MB and a package that reports installations. */
const SWAGGER_UI = ["swagger-ui-bundle.js", "swagger-ui.css"].map((name) =>
  fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)),
);

export default defineConfig({
  // The worker is started by its path.
  entry: { ...server.entries, "search-worker": "src/search/search-worker.ts" },
  format: "esm",
  // Resolves the library to its built types, and knows the DOM for the client.
  tsconfig: "tsconfig.build.json",
  platform: "node",
  fixedExtension: false,
  copy: SWAGGER_UI.map((from) => ({ from, to: "dist/swagger-ui" })),
  target: "es2023",
  dts: nativeTypes,
  clean: true,
});
