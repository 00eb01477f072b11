import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

const entry = fileURLToPath(new URL("./src/offline/service-worker.ts", import.meta.url));
const SCRIPT = "sw.js";
/** Cached when they are first used, not on the first visit: WebLLM has 6 MB, the word vectors 4 MB. */
const LARGE = /^assets\/(?:web-llm-[^/]*\.js|word-vectors-[^/]*\.bin)$/;

/**
 * Adds the service worker to a build: one script at the root, which knows every file beside it.
 *
 * @param more Files of the page that the server has and the build has not. Their names have a content hash.
 */
export function offline(more: () => readonly string[] = () => []): Plugin {
  let folder: string;
  return {
    name: "throughline:offline",
    apply: "build",
    configResolved({ root, build: { outDir } }) {
      folder = resolve(root, outDir);
    },
    writeBundle: { order: "post", sequential: true, handler: () => addWorker(folder, more()) },
  };
}

async function addWorker(folder: string, more: readonly string[]): Promise<void> {
  const files = await filesOf(folder);
  const version = await printOf(folder, files, more);
  const paths = [...files, ...more].filter((file) => !LARGE.test(file)).map((file) => `/${file}`);
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    define: { __FILES__: JSON.stringify(paths), __VERSION__: JSON.stringify(version) },
    build: {
      target: "es2023",
      outDir: folder,
      emptyOutDir: false,
      // A script and not a module, which not every browser takes for a worker.
      lib: { entry, formats: ["iife"], name: "serviceWorker", fileName: () => SCRIPT },
    },
  });
}

async function filesOf(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = found
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) =>
      resolve(parentPath, name)
        .slice(resolve(folder).length + 1)
        .replaceAll("\\", "/"),
    );
  return names.filter((name) => name !== SCRIPT && !name.endsWith(".map")).toSorted();
}

/** Another one as soon as any file is another. */
async function printOf(folder: string, files: readonly string[], more: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(more.join("\n"));
  for (const file of files) hash.update(`${file}\n`).update(await readFile(resolve(folder, file)));
  return hash.digest("hex").slice(0, 16);
}

/**
 * Leaves the data files of the library (token ranks, word vectors) out of a build. The server has the library, and
 * serves its files under the names that the build gave them.
 */
export function libraryData(): { readonly plugin: Plugin; readonly files: () => readonly string[] } {
  const files = new Set<string>();
  const plugin: Plugin = {
    name: "throughline:library-data",
    apply: "build",
    generateBundle(_, bundle) {
      for (const { type, fileName } of Object.values(bundle)) {
        if (type !== "asset" || !fileName.endsWith(".bin")) continue;
        files.add(fileName);
        delete bundle[fileName];
      }
    },
  };
  return { plugin, files: () => [...files].toSorted() };
}

/** Puts scripts and styles into the HTML, so that the page is one file. */
export function inlineAssets(): Plugin {
  return {
    name: "inline-assets",
    enforce: "post",
    generateBundle(_, bundle) {
      const pages = Object.values(bundle).filter(({ fileName }) => fileName.endsWith(".html"));
      for (const page of pages) {
        if (page.type !== "asset") continue;
        let html = String(page.source);
        for (const file of Object.values(bundle)) {
          if (file === page) continue;
          html = inline(html, file.fileName, file.type === "chunk" ? file.code : String(file.source));
          delete bundle[file.fileName];
        }
        page.source = html;
      }
    },
  };
}

function inline(html: string, name: string, content: string): string {
  const file = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const script = new RegExp(`<script type="module"[^>]*src="[^"]*${file}"[^>]*></script>`);
  const style = new RegExp(`<link rel="stylesheet"[^>]*href="[^"]*${file}"[^>]*>`);
  const isScript = script.test(html);
  // The module has to run after the body is there.
  const code = `<script type="module">${content.replaceAll("</script", "<\\/script")}</script>`;
  if (isScript) return html.replace(script, "").replace("</body>", () => `${code}</body>`);
  return html.replace(style, () => `<style>${content}</style>`);
}
