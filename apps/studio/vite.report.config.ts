import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { sourceAliases } from "../../tools/package/entry-points.mjs";
import { recordBundled } from "../../tools/package/third-party.mjs";
import { inlineAssets } from "./vite-plugins.ts";

// The page of `throughline inspect --html`: one file without requests.
export default defineConfig({
  plugins: [react(), recordBundled("report").main, inlineAssets()],
  publicDir: false,
  resolve: { alias: sourceAliases, dedupe: ["react", "react-dom"] },
  build: {
    target: "es2023",
    outDir: fileURLToPath(new URL("../../packages/cli/dist/report", import.meta.url)),
    emptyOutDir: true,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: { input: "report.html", output: { codeSplitting: false } },
  },
});
