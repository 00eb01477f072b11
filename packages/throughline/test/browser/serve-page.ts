import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "vite";

const HTML = `<!doctype html><meta charset="utf-8"><title>Test</title><script type="module" src="/page.js"></script>`;

/** A page on this machine only. */
export interface ServedPage {
  readonly url: string;
  close(): Promise<void>;
}

/** Bundles a module as a page's own, and serves a page that runs it. Nothing is written to the disk. */
export async function servePage(module: string): Promise<ServedPage> {
  const files = await bundlePage(module);
  const server = createServer(({ url }, response) => {
    const body = url === "/" ? HTML : files.get(url ?? "");
    response.writeHead(body === undefined ? 404 : 200, { "content-type": contentType(url) });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A module and all its imports, by URL path. The module itself is "/page.js". */
export async function bundlePage(module: string): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      minify: false,
      target: "es2023",
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: module, output: { entryFileNames: "page.js" } },
    },
  });
  const [built] = Array.isArray(result) ? result : [result];
  if (built === undefined || !("output" in built)) throw new Error(`${module} could not be bundled`);
  return new Map(built.output.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]));
}

function contentType(url = "/"): string {
  if (url === "/") return "text/html";
  return url.endsWith(".js") ? "text/javascript" : "application/octet-stream";
}
