import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seen, startUpstream } from "../../../test/server/upstream.ts";
import { StoreError } from "../../errors/store-error.ts";
import type { Store } from "../../ports/store.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { type ProviderServer, startProviderServer } from "./provider-server.arbitrary.ts";
import type { ProxyOptions } from "./proxy-options.ts";
import { type ProxyRig, startProxy } from "./proxy-rig.arbitrary.ts";

let upstream: ProviderServer;
beforeAll(async () => {
  upstream = await startProviderServer();
});
afterAll(() => upstream.close());

interface Started extends ProxyOptions {
  readonly store?: Store;
  readonly url?: string;
}

async function withProxy<T>(
  { store = inProcessStore(), url = upstream.url, ...options }: Started,
  work: (proxy: ProxyRig) => Promise<T>,
): Promise<T> {
  const proxy = await startProxy({ store, model: { url }, anthropic: { url }, ...options });
  Object.assign(upstream.provider, { limit: 100_000, bias: 1, answer: () => ({ text: "Hello." }) });
  try {
    return await work(proxy);
  } finally {
    await proxy.close();
  }
}

async function post(proxy: ProxyRig, path: string, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${proxy.url}/${path}`, { method: "POST", body, headers });
  const tell = (name: string) => answer.headers.get(`x-throughline-${name}`);
  return { status: answer.status, text: await answer.text(), tell };
}

const words = (count: number) => "some words of a tool ".repeat(count);
const TASK = "Find the leak. Never restart the server.";

/** A long run of an agent, in the form of each wire. */
function longChat(): object[] {
  const steps = Array.from({ length: 12 }, (_, index) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${index}`, type: "function", function: { name: "read", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: `c${index}`, content: words(150), name: "read" },
  ]).flat();
  return [
    { role: "system", content: "Be careful.", name: "root" },
    { role: "user", content: TASK, name: "ada" },
    ...steps,
    {
      role: "user",
      content: [
        { type: "text", text: "And?" },
        { type: "video_url", video_url: { url: "http://x/y" } },
      ],
    },
  ];
}

function longMessages(): object[] {
  const steps = Array.from({ length: 12 }, (_, index) => [
    { role: "assistant", content: [{ type: "tool_use", id: `c${index}`, name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `c${index}`, content: words(150) }] },
  ]).flat();
  const last = [{ type: "text", text: "And?", cache_control: { type: "ephemeral" } }];
  return [
    { role: "user", content: TASK },
    ...steps,
    { role: "assistant", content: "Well." },
    { role: "user", content: last },
  ];
}

describe("a conversation that does not fit", () => {
  it("is compacted in its own form, and every other field is sent as it came", async () => {
    await withProxy({ contextLimits: { local: 4_000 } }, async (proxy) => {
      const about = '"seed": 12345678901234567890,\n "logit_bias": {"50256":-100.0}';
      const body = `{ ${about}, "model":"local", "messages": ${JSON.stringify(longChat())}, "max_tokens" : 500 }`;
      const answer = await post(proxy, "chat/completions", body);
      expect({ status: answer.status, why: answer.tell("degraded") }).toEqual({ status: 200, why: null });
      expect(Number(answer.tell("compacted"))).toBeGreaterThan(10);
      const sent = upstream.log.at(-1)?.body ?? "";
      expect(sent).toContain(about);
      expect(sent).toContain('"max_tokens" : 500');
      const { messages, ...rest } = JSON.parse(sent) as { messages: object[] };
      expect(Object.keys(rest)).toEqual(["seed", "logit_bias", "model", "max_tokens"]);
      // What stands as it was said is as it came, also what only this form has a word for.
      expect([messages[0], messages[1], messages.at(-1)]).toEqual([longChat()[0], longChat()[1], longChat().at(-1)]);
      expect(messages.length).toBeLessThan(longChat().length);
      expect(sent).toContain("## Session Summary");
    });
  });

  it("is compacted in Anthropic's form, marks of the prompt cache and all", async () => {
    await withProxy({ contextLimits: { local: 4_000 } }, async (proxy) => {
      const system = [{ type: "text", text: "Be careful.", cache_control: { type: "ephemeral" } }];
      const body = { model: "local", max_tokens: 500, system, messages: longMessages(), metadata: { user_id: "u" } };
      const answer = await post(proxy, "messages", JSON.stringify(body));
      expect(answer.status, answer.text).toBe(200);
      const sent = JSON.parse(upstream.log.at(-1)?.body ?? "") as typeof body;
      expect(sent).toMatchObject({ system, metadata: { user_id: "u" }, max_tokens: 500 });
      expect(sent.messages[0]).toEqual(longMessages()[0]);
      expect(sent.messages.at(-1)).toEqual(longMessages().at(-1));
      expect(sent.messages.length).toBeLessThan(longMessages().length);
    });
  });

  it("goes on from its summary, turn after turn", async () => {
    await withProxy({ contextLimits: { local: 4_000 } }, async (proxy) => {
      const messages = longChat();
      const ask = () => post(proxy, "chat/completions", JSON.stringify({ model: "local", messages }));
      const first = await ask();
      const summary = /## Session Summary[^"]*/.exec(upstream.log.at(-1)?.body ?? "")?.[0];
      messages.push({ role: "assistant", content: "Hello." }, { role: "user", content: "More." });
      const second = await ask();
      expect(second.tell("session")).toBe(first.tell("session"));
      // The same beginning: a provider's prompt cache holds.
      expect(upstream.log.at(-1)?.body).toContain(summary);
    });
  });

  it("goes as it came where nothing makes it fit, and the answer says so", async () => {
    await withProxy({ contextLimits: { local: 300 } }, async (proxy) => {
      const body = JSON.stringify({
        model: "local",
        messages: [{ role: "system", content: words(400) }, ...longChat()],
      });
      const answer = await post(proxy, "chat/completions", body);
      expect({ status: answer.status, why: answer.tell("degraded") }).toEqual({ status: 200, why: "irreducible" });
      expect(upstream.log.at(-1)?.body).toBe(body);
      expect(proxy.errors).toEqual([]);
    });
  });

  it("is told by the upstream's list how much a model takes that nobody knows", async () => {
    const body = JSON.stringify({ model: "my-own-model", messages: [{ role: "user", content: words(8_000) }] });
    await withProxy({}, async (proxy) => {
      expect((await post(proxy, "chat/completions", body)).tell("compacted")).toBe("1");
    });
    upstream.models = { data: [{ id: "my-own-model", max_model_len: 64_000 }] };
    await withProxy({}, async (proxy) => {
      expect((await post(proxy, "chat/completions", body)).tell("compacted")).toBe("0");
      expect(upstream.log.at(-1)?.body).toBe(body);
    });
  });
});

describe("an upstream that finds a window too long", () => {
  const asked = (stream: boolean) => JSON.stringify({ model: "gpt-4o", messages: longChat(), stream });

  it("is asked once more with a smaller one, and what it said is known from then on", async () => {
    await withProxy({}, async (proxy) => {
      upstream.provider.limit = 4_000;
      const from = upstream.log.length;
      const answer = await post(proxy, "chat/completions", asked(false));
      expect(answer.status).toBe(200);
      expect(upstream.log.slice(from).map(({ isOverflow }) => isOverflow)).toEqual([true, false]);
      const more = [...longChat(), { role: "assistant", content: "Hello." }, { role: "user", content: "More." }];
      await post(proxy, "chat/completions", JSON.stringify({ model: "gpt-4o", messages: more }));
      expect(upstream.log.slice(from + 2).map(({ isOverflow }) => isOverflow)).toEqual([false]);
    });
  });

  it("is not asked a third time: its refusal is passed on as it came", async () => {
    await withProxy({}, async (proxy) => {
      upstream.provider.limit = 20;
      const from = upstream.log.length;
      const answer = await post(proxy, "chat/completions", asked(false));
      expect(answer.status).toBe(400);
      expect(upstream.log.length - from).toBeLessThanOrEqual(2);
      expect(answer.text).toBe(upstream.log.at(-1)?.answer);
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
  ])("may say so in its stream to %s: nobody hears of it", async (path, events) => {
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
    await withProxy({ url: other.url }, async (proxy) => {
      const conversation =
        path === "responses" ? { input: inItems() } : { messages: path === "messages" ? longMessages() : longChat() };
      const body = JSON.stringify({ model: "gpt-4o", stream: true, max_tokens: 10, ...conversation });
      expect(await post(proxy, path, body)).toMatchObject({ status: 200, text: said });
      expect(calls).toBe(2);
      expect(other.seen[1]?.body.length).toBeLessThan(body.length / 2);
    });
    await other.close();
  });

  it("may fail for another reason, in its stream or not, and that is passed on as it is", async () => {
    const events = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n';
    const other = await startUpstream(({ response }: Seen) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(events);
    });
    await withProxy({ url: other.url }, async (proxy) => {
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

function inItems(): object[] {
  const steps = Array.from({ length: 12 }, (_, index) => [
    { type: "function_call", call_id: `c${index}`, name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: `c${index}`, output: words(150) },
  ]).flat();
  return [{ role: "user", content: TASK }, ...steps, { role: "user", content: "And?" }];
}

describe("memory", () => {
  const on = { "x-throughline-memory": "on" };
  const asked = { role: "user", content: "What is my favourite editor?" };
  const bodies = {
    "chat/completions": { model: "gpt-4o", messages: [asked] },
    messages: { model: "claude-sonnet-4-5", max_tokens: 100, messages: [asked] },
    responses: { model: "gpt-4o", input: [asked] },
  };
  const systems = {
    "chat/completions": { messages: [{ role: "developer", content: [{ type: "text", text: "Be brief." }] }, asked] },
    messages: { system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }] },
    responses: { instructions: "Be brief." },
  };
  const paths = Object.keys(bodies) as (keyof typeof bodies)[];
  const remembering = async (proxy: ProxyRig) => {
    const { memory } = await proxy.throughline();
    await memory.remember({ text: "My favourite editor is Helix.", kind: "fact", category: "preference" });
  };

  it.each(paths)("stands behind the system prompt where it is asked for: %s", async (path) => {
    await withProxy({}, async (proxy) => {
      await remembering(proxy);
      for (const extra of [{}, systems[path]]) {
        const body = { ...bodies[path], ...extra };
        expect((await post(proxy, path, JSON.stringify(body), on)).tell("compacted")).toBe("0");
        const sent = JSON.parse(upstream.log.at(-1)?.body ?? "") as Record<string, unknown>;
        const {
          messages = [],
          system,
          instructions,
        } = sent as { messages?: object[]; system?: unknown; instructions?: unknown };
        const told = JSON.stringify(path === "chat/completions" ? messages[0] : (system ?? instructions));
        expect(told).toContain("Helix");
        expect(told.includes("Be brief.")).toBe(extra === systems[path]);
        expect(JSON.stringify(messages.slice(path === "chat/completions" ? 1 : 0))).not.toContain("Helix");
      }
    });
  });

  it("is off where nobody asks for it, and can be on for all", async () => {
    const body = JSON.stringify(bodies["chat/completions"]);
    await withProxy({}, async (proxy) => {
      await remembering(proxy);
      await post(proxy, "chat/completions", body);
      expect(upstream.log.at(-1)?.body).toBe(body);
    });
    await withProxy({ memory: true }, async (proxy) => {
      await remembering(proxy);
      await post(proxy, "chat/completions", body);
      expect(upstream.log.at(-1)?.body).toContain("Helix");
      await post(proxy, "chat/completions", body, { "x-throughline-memory": "off" });
      expect(upstream.log.at(-1)?.body).toBe(body);
    });
  });

  it("changes nothing where nothing fits", async () => {
    await withProxy({ memory: true }, async (proxy) => {
      const body = JSON.stringify(bodies.responses);
      await post(proxy, "responses", body);
      expect(upstream.log.at(-1)?.body).toBe(body);
    });
  });

  it("is told of what was said where it is on, or whoever reads along in its place is", async () => {
    const heard: unknown[] = [];
    const onAppend: ProxyOptions["onAppend"] = ({ userId }, _, { remember, modelId }) => {
      heard.push({ userId, remember, modelId });
    };
    await withProxy({ onAppend }, async (proxy) => {
      await post(proxy, "chat/completions", JSON.stringify(bodies["chat/completions"]), on);
      // Once for what was asked, once for the answer.
      expect(heard).toEqual(Array(2).fill({ userId: "ada", remember: true, modelId: "gpt-4o" }));
    });
  });
});

describe("a store in trouble", () => {
  const broken = (part: "messages" | "documents" | "sessions" | "memories", name: string): Store => {
    const store = inProcessStore();
    const fail = async () => {
      throw new StoreError("unavailable", "The database is gone.");
    };
    return { ...store, [part]: { ...store[part], [name]: fail } };
  };
  const body = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hi, what do I like?" }] });

  it.each([
    ["documents", "get"],
    ["documents", "put"],
    ["messages", "append"],
    ["sessions", "head"],
    ["sessions", "commit"],
  ] as const)("keeps nobody from their answer: %s.%s", async (part, name) => {
    await withProxy({ store: broken(part, name) }, async (proxy) => {
      const answer = await post(proxy, "chat/completions", body);
      expect({ status: answer.status, why: answer.tell("degraded") }).toEqual({ status: 200, why: "store" });
      expect(upstream.log.at(-1)?.body).toBe(body);
      expect(proxy.errors[0]).toBeInstanceOf(StoreError);
    });
  });

  it("may lack memories alone", async () => {
    const store = inProcessStore();
    const memories = new Proxy(store.memories, {
      get: () => async () => {
        throw new StoreError("unavailable", "The database is gone.");
      },
    });
    await withProxy({ store: { ...store, memories }, memory: true, onAppend: () => undefined }, async (proxy) => {
      const answer = await post(proxy, "chat/completions", body);
      expect({ status: answer.status, why: answer.tell("degraded") }).toEqual({ status: 200, why: "memory" });
      expect(upstream.log.at(-1)?.body).toBe(body);
    });
  });
});
