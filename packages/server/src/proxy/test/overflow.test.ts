import { describe, expect, it } from "vitest";
import { type Seen, startUpstream } from "../../../test/upstream.ts";
import { longChat, longItems, longMessages, post, proxiedProvider } from "./long-runs.fixture.ts";

const at = proxiedProvider();

describe("an upstream that finds a window too long", () => {
  const asked = (stream: boolean) => JSON.stringify({ model: "gpt-4o", messages: longChat(), stream });

  it("gets a smaller one once, and its limit is remembered", async () => {
    await at.withProxy({}, async (proxy) => {
      at.upstream.provider.limit = 4_000;
      const from = at.upstream.log.length;
      const answer = await post(proxy, "chat/completions", asked(false));
      expect(answer.status).toBe(200);
      expect(at.upstream.log.slice(from).map(({ isOverflow }) => isOverflow)).toEqual([true, false]);
      const more = [...longChat(), { role: "assistant", content: "Hello." }, { role: "user", content: "More." }];
      await post(proxy, "chat/completions", JSON.stringify({ model: "gpt-4o", messages: more }));
      expect(at.upstream.log.slice(from + 2).map(({ isOverflow }) => isOverflow)).toEqual([false]);
    });
  });

  it("is not asked a third time: its refusal is forwarded unchanged", async () => {
    await at.withProxy({}, async (proxy) => {
      at.upstream.provider.limit = 20;
      const from = at.upstream.log.length;
      const answer = await post(proxy, "chat/completions", asked(false));
      expect(answer.status).toBe(400);
      expect(at.upstream.log.length - from).toBeLessThanOrEqual(2);
      expect(answer.text).toBe(at.upstream.log.at(-1)?.answer);
      expect(proxy.errors).toEqual([]);
    });
  });

  const overflow = { message: "maximum context length is 4000 tokens", code: "context_length_exceeded" };
  const created = { type: "response.created", response: { id: "r", status: "in_progress" } };
  const failed = { type: "response.failed", response: { id: "r", status: "failed", error: overflow } };
  it.each([
    ["chat/completions", [{ error: overflow }]],
    ["messages", [{ type: "error", error: overflow }]],
    ["responses", [created, failed]],
    ["responses", [created, { type: "error", ...overflow }]],
  ])("may refuse in its stream to %s, which the client does not see", async (path, events) => {
    let calls = 0;
    const said = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n';
    const other = await startUpstream(({ response }: Seen) => {
      calls += 1;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const refusal = events.map(
        (event) => `event: ${"type" in event ? event.type : "x"}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      response.end(calls === 1 ? refusal.join("") : said);
    });
    await at.withProxy({ url: other.url }, async (proxy) => {
      const conversation =
        path === "responses" ? { input: longItems() } : { messages: path === "messages" ? longMessages() : longChat() };
      const body = JSON.stringify({ model: "gpt-4o", stream: true, max_tokens: 10, ...conversation });
      expect(await post(proxy, path, body)).toMatchObject({ status: 200, text: said });
      expect(calls).toBe(2);
      expect(other.seen[1]?.body.length).toBeLessThan(body.length / 2);
    });
    await other.close();
  });

  it("may fail for another reason, in its stream or not, which is forwarded unchanged", async () => {
    const events = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n';
    const other = await startUpstream(({ response }: Seen) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(events);
    });
    await at.withProxy({ url: other.url }, async (proxy) => {
      const body = JSON.stringify({
        model: "claude-sonnet-4-5",
        stream: true,
        max_tokens: 10,
        messages: longMessages(),
      });
      expect(await post(proxy, "messages", body)).toMatchObject({ status: 200, text: events });
      expect(other.seen).toHaveLength(1);
    });
    await other.close();
  });
});
