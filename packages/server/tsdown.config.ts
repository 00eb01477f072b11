import { defineConfig } from "tsdown";
import { server } from "../../tools/entry-points.mjs";

export default defineConfig({
  entry: { ...server.entries },
  format: "esm",
  // Resolves the library to its built types, and knows the DOM for the client.
  tsconfig: "tsconfig.build.json",
  platform: "node",
  fixedExtension: false,
  target: "es2023",
  dts: true,
  clean: true,
});
