import { once } from "node:events";
import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Model } from "throughline";
import { describe, expect, it } from "vitest";
import { createServer } from "../src/server.ts";
import { ask, begin } from "./request.ts";
import { studioFolder } from "./studio-folder.ts";
import { type Seen, startUpstream } from "./upstream.ts";

const studio = studioFolder();

/** A server with a started response that the test ends. */
async function withSlowAnswer(shutdownTimeout?: number) {
  const asked = Promise.withResolvers<Seen>();
  const upstream = await startUpstream((seen) => {
    seen.response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    asked.resolve(seen);
  });
  const server = await createServer({
    port: 0,
    studio: studio.path,
    upstreams: { openai: { url: upstream.url } },
    ...(shutdownTimeout !== undefined && { shutdownTimeout }),
  });
  const answer = await begin(server.url, "/v1/chat/completions", { method: "POST", body: "{}" });
  const { response } = await asked.promise;
  return { server, upstream, answer, response };
}

describe("a server at shutdown", () => {
  it("finishes a response, and accepts no new request", async () => {
    const { server, upstream, answer, response } = await withSlowAnswer();
    const closed = server.close();
    await expect(ask(server.url, "/healthz")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    response.end("data: 2\n\n");
    expect(String(await buffer(answer))).toBe("data: 1\n\ndata: 2\n\n");
    await closed;
    await upstream.close();
  });

  it("aborts a response that takes too long, and the upstream request", async () => {
    const { server, upstream, answer, response } = await withSlowAnswer(50);
    const gone = once(response, "close");
    await server.close();
    await expect(buffer(answer)).rejects.toThrow("aborted");
    await gone;
    await upstream.close();
  });

  it("stops a summary that the model is still writing", async () => {
    const asked = Promise.withResolvers<AbortSignal | undefined>();
    const generate: Model["generate"] = ({ signal }) => {
      asked.resolve(signal);
      return new Promise(() => undefined);
    };
    const model: Model = { modelId: "gpt-4o", generate };
    const server = await createServer({ port: 0, studio: studio.path, model });
    const post = async (path: string, body: unknown) => {
      const headers = { "content-type": "application/json" };
      const { status } = await ask(server.url, path, { method: "POST", headers, body: JSON.stringify(body) });
      expect(status).toBeLessThan(300);
    };
    const messages = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        role: i % 2 === 0 ? "user" : "assistant",
        content: `${i} ${"word ".repeat(200)}`,
      }));
    await post("/sessions", { id: "s" });
    await post("/sessions/s/messages", { messages: messages(6) });
    await post("/sessions/s/prepare", { budget: 2_000 });
    await post("/sessions/s/messages", { messages: messages(2) });
    const signal = await asked.promise;
    await server.close();
    expect(signal?.aborted).toBe(true);
  });

  it("does not wait for an idle connection of a browser", async () => {
    const server = await createServer({ port: 0, studio: studio.path, shutdownTimeout: 2 ** 31 - 1 });
    const agent = new Agent({ keepAlive: true });
    const asking = request(`${server.url}/healthz`, { agent }).end();
    const [answer] = await once(asking, "response");
    await buffer(answer);
    await server.close();
    agent.destroy();
  });
});
