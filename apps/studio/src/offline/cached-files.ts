const PREFIX = "studio-";

/** Dependencies of the service worker. */
export interface CachedFilesDeps {
  readonly caches: CacheStorage;
  readonly fetch: typeof fetch;
  readonly origin: string;
  /** Differs for every build. */
  readonly version: string;
  /** The paths of all files of the build, except those that are cached when they are first used. */
  readonly files: readonly string[];
}

/** The files of one build of the Studio in the cache of the device. */
export class CachedFiles {
  readonly #deps: CachedFilesDeps;
  readonly #name: string;
  readonly #files: ReadonlySet<string>;

  constructor(deps: CachedFilesDeps) {
    this.#deps = deps;
    this.#name = `${PREFIX}${deps.version}`;
    this.#files = new Set(deps.files);
  }

  /** Caches every file or none: half a build would be worse than the one before it. */
  async precache(): Promise<void> {
    const { caches, files } = this.#deps;
    const cache = await caches.open(this.#name);
    try {
      await Promise.all(files.map(async (path) => cache.put(path, await this.#load(path))));
    } catch (error) {
      await caches.delete(this.#name);
      throw error;
    }
  }

  async #load(path: string): Promise<Response> {
    const { caches, fetch } = this.#deps;
    const known = isNamedByContent(path) ? await caches.match(path, { ignoreVary: true }) : undefined;
    const response = known ?? (await fetch(new Request(path, { cache: "no-cache" })));
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response;
  }

  /** Deletes older builds. The previous one stays: an open page may still load its files. */
  async removeStale(): Promise<void> {
    const { caches } = this.#deps;
    const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== this.#name);
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  }

  /** The response for one of these files; `undefined` for other requests, which are not handled. */
  answer(request: Request): Promise<Response> | undefined {
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== this.#deps.origin || isData(pathname)) return undefined;
    if (request.mode === "navigate") return this.#newest(request, "/index.html");
    if (isNamedByContent(pathname)) return this.#kept(request);
    return this.#files.has(pathname) ? this.#newest(request, pathname) : undefined;
  }

  /** Files named by their content never change: a file that is not cached yet is cached now. */
  async #kept(request: Request): Promise<Response> {
    const { caches, fetch } = this.#deps;
    const known = await caches.match(request, { ignoreVary: true });
    if (known !== undefined) return known;
    const response = await fetch(request);
    if (response.ok && response.status === 200) {
      const cache = await caches.open(this.#name);
      // A full disk must not fail the request.
      await cache.put(request, response.clone()).catch(() => undefined);
    }
    return response;
  }

  /** From the server if it responds, so that the next visit gets a new build. */
  async #newest(request: Request, path: string): Promise<Response> {
    const { caches, fetch } = this.#deps;
    try {
      return await fetch(request);
    } catch (error) {
      const cache = await caches.open(this.#name);
      const kept = await cache.match(path, { ignoreVary: true });
      if (kept === undefined) throw error;
      return kept;
    }
  }
}

/** Vite puts files named by content into one folder. */
function isNamedByContent(path: string): boolean {
  return path.startsWith("/assets/");
}

/** Messages and answers are never cached. */
function isData(path: string): boolean {
  return path.startsWith("/v1/");
}
