import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { sourceAliases } from "../../tools/package/entry-points.mjs";
import { recordBundled } from "../../tools/package/third-party.mjs";
import { libraryData, offline } from "./vite-plugins.ts";

const bundled = recordBundled("studio");
const data = libraryData();
const server = "http://127.0.0.1:4870";

export default defineConfig({
  plugins: [react(), data.plugin, offline(data.files), bundled.main],
  worker: { plugins: () => [bundled.worker] },
  resolve: { alias: sourceAliases, dedupe: ["react", "react-dom", "dexie"] },
  build: {
    target: "es2023",
    // The command line serves it from beside itself.
    outDir: fileURLToPath(new URL("../../packages/cli/dist/studio", import.meta.url)),
    emptyOutDir: true,
    chunkSizeWarningLimit: 8_000,
    // Named, so that the service worker can leave it out: it is cached when it is first used.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "web-llm", test: /node_modules[\\/]@mlc-ai[\\/]web-llm/ }] } },
    },
  },
  server: {
    host: "127.0.0.1",
    port: 4871,
    strictPort: true,
    // The server's model, if it runs too; it knows only pages of its own.
    proxy: { "/v1": { target: server, changeOrigin: true, headers: { origin: server } } },
  },
});
