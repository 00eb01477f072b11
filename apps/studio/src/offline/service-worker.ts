import { CachedFiles } from "./cached-files.ts";

// Set by the build.
declare const __FILES__: readonly string[];
declare const __VERSION__: string;

interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** The part of the service worker API in use; the types of a page do not have it. */
interface WorkerScope {
  readonly caches: CacheStorage;
  readonly clients: { claim(): Promise<void> };
  readonly location: { readonly origin: string };
  readonly fetch: typeof fetch;
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: LastingEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
}

const worker = globalThis as unknown as WorkerScope;

const cached = new CachedFiles({
  caches: worker.caches,
  fetch: (input, init) => worker.fetch(input, init),
  origin: worker.location.origin,
  version: __VERSION__,
  files: __FILES__,
});

// The new worker is active at once. Open pages continue with their own files and drafts.
worker.addEventListener("install", (event) => event.waitUntil(cached.precache().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) =>
  event.waitUntil(cached.removeStale().then(() => worker.clients.claim())),
);
worker.addEventListener("fetch", (event) => {
  const answer = cached.answer(event.request);
  if (answer !== undefined) event.respondWith(answer);
});
