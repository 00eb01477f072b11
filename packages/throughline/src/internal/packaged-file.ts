/** The parts of Node, Deno and Bun that browsers do not have, and of browsers that some runtimes do not have. */
interface Runtime {
  readonly process?: { getBuiltinModule?(name: "node:fs"): { readFileSync(url: URL): Uint8Array } | undefined };
  fetch?(url: string): Promise<{
    readonly ok: boolean;
    readonly status: number;
    arrayBuffer(): Promise<ArrayBuffer>;
  }>;
}

/** Whether files of the package can be read synchronously from this address. */
export function canReadPackagedFile(url: string | undefined): boolean {
  return url?.startsWith("file:") === true && fileSystem() !== undefined;
}

function fileSystem() {
  return (globalThis as Runtime).process?.getBuiltinModule?.("node:fs");
}

/** Reads a file of the package synchronously; `undefined` if the runtime has no file system. */
export function readPackagedFile(url: URL): Uint8Array | undefined {
  return url.href.startsWith("file:") ? fileSystem()?.readFileSync(url) : undefined;
}

/** Reads a file of the package, or fetches it if the runtime has no file system. */
export async function loadPackagedFile(url: URL): Promise<Uint8Array> {
  const read = readPackagedFile(url);
  if (read !== undefined) return read;
  const { fetch } = globalThis as Runtime;
  if (fetch === undefined) throw new TypeError(`This runtime can read neither files nor ${url.href}.`);
  const reply = await fetch(url.href);
  if (!reply.ok) throw new TypeError(`${url.href} answered with ${reply.status}.`);
  return new Uint8Array(await reply.arrayBuffer());
}
