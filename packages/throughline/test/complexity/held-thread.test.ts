import process from "node:process";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { apiServer } from "../../../server/test/api-server.ts";
import { ask } from "../../../server/test/request.ts";
import { startUpstream } from "../../../server/test/upstream.ts";
import { type Found, type LongRequest, longRequests, MAX_SIZES } from "./long-requests.ts";

/** Milliseconds of processor time for which one request may hold the thread. */
const MAX_SLICE = 250;

// On a busy machine the proxy would forward a long request unchanged, because the store takes too long.
vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);

const upstream = await startUpstream(({ response }) => {
  response.setHeader("content-type", "application/json");
  response.end('{"id":"1","object":"chat.completion","created":1,"model":"gpt-4o","choices":[]}');
});
const server = apiServer({ upstreams: { openai: { url: upstream.url } }, responseTimeout: 2_000_000_000 });
afterAll(() => upstream.close());

/** The most processor time between two turns of the event loop while work is done, in milliseconds. */
async function longestSlice<T>(work: () => Promise<T>): Promise<{ readonly slice: number; readonly result: T }> {
  let [last, slice, isOver] = [process.threadCpuUsage(), 0, false];
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last);
    slice = Math.max(slice, (user + system) / 1_000);
    last = process.threadCpuUsage();
    if (!isOver) setTimeout(turn, 1);
  };
  turn();
  const result = await work();
  isOver = true;
  return { slice, result };
}

/** Requests `/healthz` repeatedly. Returns the longest time in milliseconds since the last call. */
const POLLER = `
const { parentPort, workerData } = require("node:worker_threads");
let worst = 0;
parentPort.on("message", () => { parentPort.postMessage(worst); worst = 0; });
(async () => {
  for (;;) {
    const start = performance.now();
    await fetch(workerData + "/healthz").then((answer) => answer.text()).catch(() => undefined);
    worst = Math.max(worst, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
})();
`;

describe("no request holds the thread for long", () => {
  const found: Found = { memoryId: "", journalId: "", exported: { memories: [] } };
  let poller: Worker;
  beforeAll(() => {
    poller = new Worker(POLLER, { eval: true, workerData: server.url });
  });
  afterAll(() => poller.terminate());
  const worstLatency = () =>
    new Promise<number>((resolve) => {
      poller.once("message", resolve);
      poller.postMessage("");
    });

  /** The body is made before the time is taken, and the answer is read afterwards. */
  async function measure({ method, path, body, headers }: LongRequest) {
    const sent = body && JSON.stringify(body(found));
    const about = sent === undefined ? headers : { "content-type": "application/json", ...headers };
    await worstLatency();
    return longestSlice(() =>
      ask(server.url, path(found), { method, ...(about && { headers: about }), ...(sent && { body: sent }) }),
    );
  }

  it.each(longRequests(MAX_SIZES))("$name", { timeout: 1_200_000 }, async (request) => {
    const { slice, result: answer } = await measure(request);
    const latency = await worstLatency();
    process.stdout.write(`${request.name}: longest slice ${slice.toFixed(0)} ms, /healthz ${latency.toFixed(0)} ms\n`);
    expect([Math.floor((answer.status ?? 0) / 100), answer.body.toString().slice(0, 500)]).toEqual([
      2,
      expect.any(String),
    ]);
    request.check?.(answer, found, upstream.seen.at(-1)?.body.length ?? 0);
    upstream.seen.length = 0;
    expect(slice).toBeLessThan(MAX_SLICE);
  });
});
