import { describe, expect, it } from "vitest";
import { StoreError } from "../../../../throughline/src/errors/store-errors.ts";
import type { Store } from "../../../../throughline/src/ports/store.ts";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { countTokens } from "../../../../throughline/src/tokens/count-tokens.ts";
import { startUpstream } from "../../../test/upstream.ts";
import { longChat, longMessages, post, proxiedProvider, words } from "./long-runs.fixture.ts";
import type { RunningProxy } from "./proxy.fixture.ts";

const at = proxiedProvider();

function markAll(content: string | readonly object[]): readonly object[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return blocks.map((block) => ({ ...block, cache_control: { type: "ephemeral" } }));
}

describe("a conversation that does not fit", () => {
  it("is compacted in its own format, with all other fields unchanged", async () => {
    await at.withProxy({ contextLimits: { local: 4_000 } }, async (proxy) => {
      const about = '"seed": 12345678901234567890,\n "logit_bias": {"50256":-100.0}';
      const body = `{ ${about}, "model":"local", "messages": ${JSON.stringify(longChat())}, "max_tokens" : 500 }`;
      const answer = await post(proxy, "chat/completions", body);
      expect({ status: answer.status, why: answer.header("degraded") }).toEqual({ status: 200, why: null });
      expect(Number(answer.header("compacted"))).toBeGreaterThan(10);
      const sent = at.upstream.log.at(-1)?.body ?? "";
      expect(sent).toContain(about);
      expect(sent).toContain('"max_tokens" : 500');
      const { messages, ...rest } = JSON.parse(sent) as { messages: object[] };
      expect(Object.keys(rest)).toEqual(["seed", "logit_bias", "model", "max_tokens"]);
      // Messages in full are unchanged, including fields that only this API has.
      expect([messages[0], messages[1], messages.at(-1)]).toEqual([longChat()[0], longChat()[1], longChat().at(-1)]);
      expect(messages.length).toBeLessThan(longChat().length);
      expect(sent).toContain("## Session Summary");
    });
  });

  it("is compacted if it fits only in its stored form", async () => {
    // No usage, so that nothing corrects the counts afterwards.
    const choices = [{ index: 0, message: { role: "assistant", content: words(50) }, finish_reason: "stop" }];
    const other = await startUpstream(({ response }) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ choices })),
    );
    await at.withProxy({ url: other.url, contextLimits: { local: 4_000 } }, async (proxy) => {
      const messages: object[] = [];
      for (let turn = 0; turn < 12; turn += 1) {
        messages.push({ role: "user", content: `Question ${turn}.` });
        const answer = await post(proxy, "chat/completions", JSON.stringify({ model: "local", messages }));
        expect({ status: answer.status, why: answer.header("degraded") }).toEqual({ status: 200, why: null });
        // Twice as long as the provider's answer.
        messages.push({ role: "assistant", content: words(100) });
      }
      expect(countTokens(JSON.stringify(messages))).toBeGreaterThan(5_000);
      expect(Math.max(...other.seen.map(({ body }) => countTokens(body)))).toBeLessThan(4_000);
      expect(await (await proxy.throughline()).sessions()).toHaveLength(1);
    });
    await other.close();
  });

  it("is compacted in Anthropic's format, with cache marks", async () => {
    await at.withProxy({ contextLimits: { local: 4_000 } }, async (proxy) => {
      const system = [{ type: "text", text: "Be careful.", cache_control: { type: "ephemeral" } }];
      const body = { model: "local", max_tokens: 500, system, messages: longMessages(), metadata: { user_id: "u" } };
      const answer = await post(proxy, "messages", JSON.stringify(body));
      expect(answer.status, answer.text).toBe(200);
      const sent = JSON.parse(at.upstream.log.at(-1)?.body ?? "") as typeof body;
      expect(sent).toMatchObject({ system, metadata: { user_id: "u" }, max_tokens: 500 });
      expect(sent.messages[0]).toEqual(longMessages()[0]);
      expect(sent.messages.at(-1)).toEqual(longMessages().at(-1));
      expect(sent.messages.length).toBeLessThan(longMessages().length);
    });
  });

  it("has at most four cache marks, the latest ones, and all of the client's if nothing is rewritten", async () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const tools = [{ name: "read", input_schema: { type: "object", properties: { cache_control: {} } }, ...mark }];
    const marked = longMessages().map((message, index) =>
      index < 20 ? message : { ...message, content: markAll((message as { content: string | object[] }).content) },
    );
    const body = {
      model: "local",
      max_tokens: 500,
      system: [{ type: "text", text: "Be careful.", ...mark }],
      tools,
      messages: marked,
    };
    await at.withProxy({ contextLimits: { local: 4_000 } }, async (proxy) => {
      expect((await post(proxy, "messages", JSON.stringify(body))).status).toBe(200);
      const sent = JSON.parse(at.upstream.log.at(-1)?.body ?? "") as typeof body;
      expect({ system: sent.system, tools: sent.tools }).toEqual({ system: body.system, tools });
      expect(JSON.stringify(sent.messages).split('"cache_control"')).toHaveLength(3);
      expect(sent.messages.at(-1)).toEqual(marked.at(-1));
    });
    await at.withProxy({}, async (proxy) => {
      const small = JSON.stringify({ ...body, messages: marked.slice(-3) });
      await post(proxy, "messages", small);
      expect(at.upstream.log.at(-1)?.body).toBe(small);
    });
  });

  it("continues from its summary, turn after turn", async () => {
    await at.withProxy({ contextLimits: { local: 4_000 } }, async (proxy) => {
      const messages = longChat();
      const ask = () => post(proxy, "chat/completions", JSON.stringify({ model: "local", messages }));
      const first = await ask();
      const summary = /## Session Summary[^"]*/.exec(at.upstream.log.at(-1)?.body ?? "")?.[0];
      messages.push({ role: "assistant", content: "Hello." }, { role: "user", content: "More." });
      const second = await ask();
      expect(second.header("session")).toBe(first.header("session"));
      // The prefix is unchanged, so the provider's prompt cache still matches.
      expect(at.upstream.log.at(-1)?.body).toContain(summary);
    });
  });

  it("is forwarded unchanged if nothing makes it fit, with a header that names the reason", async () => {
    await at.withProxy({ contextLimits: { local: 300 } }, async (proxy) => {
      const body = JSON.stringify({
        model: "local",
        messages: [{ role: "system", content: words(400) }, ...longChat()],
      });
      const answer = await post(proxy, "chat/completions", body);
      expect({ status: answer.status, why: answer.header("degraded") }).toEqual({ status: 200, why: "irreducible" });
      expect(at.upstream.log.at(-1)?.body).toBe(body);
      expect(proxy.errors).toEqual([]);
    });
  });

  it("uses the limit in the upstream's list for an unknown model", async () => {
    const body = JSON.stringify({ model: "my-own-model", messages: [{ role: "user", content: words(8_000) }] });
    await at.withProxy({}, async (proxy) => {
      expect((await post(proxy, "chat/completions", body)).header("compacted")).toBe("1");
    });
    at.upstream.models = { data: [{ id: "my-own-model", max_model_len: 64_000 }] };
    await at.withProxy({}, async (proxy) => {
      expect((await post(proxy, "chat/completions", body)).header("compacted")).toBe("0");
      expect(at.upstream.log.at(-1)?.body).toBe(body);
    });
  });
});

describe("the limit of a model that only the upstream's list knows", () => {
  const body = JSON.stringify({ model: "my-own-model", messages: [{ role: "user", content: words(8_000) }] });
  const list = { data: [{ id: "my-own-model", max_model_len: 64_000 }] };
  /** An upstream that shows its list only to one key. */
  const guarded = () => {
    const state = { isUp: true };
    return startUpstream(({ method, headers, response }) => {
      const isAllowed = headers.authorization === "Bearer right" && state.isUp;
      response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(!isAllowed ? { error: { message: "no" } } : method === "GET" ? list : {}));
    }).then((upstream) => ({ upstream, state }));
  };
  const asked = async (proxy: RunningProxy, key: string) =>
    (await post(proxy, "chat/completions", body, { authorization: `Bearer ${key}` })).header("compacted");

  it("is not changed for one client by the wrong key of another", async () => {
    const { upstream } = await guarded();
    await at.withProxy({ url: upstream.url }, async (proxy) => {
      expect(await asked(proxy, "wrong")).toBe("1");
      expect(await asked(proxy, "right")).toBe("0");
      expect(await asked(proxy, "wrong")).toBe("1");
    });
    await upstream.close();
  });

  it("is looked up again after a failure, and then cached", async () => {
    const { upstream, state } = await guarded();
    const lists = () => upstream.seen.filter(({ method }) => method === "GET").length;
    await at.withProxy({ url: upstream.url }, async (proxy) => {
      state.isUp = false;
      expect([await asked(proxy, "right"), lists()]).toEqual(["1", 1]);
      state.isUp = true;
      expect([await asked(proxy, "right"), lists()]).toEqual(["0", 2]);
      expect([await asked(proxy, "right"), lists()]).toEqual(["0", 2]);
    });
    await upstream.close();
  });
});

describe("a store with errors", () => {
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
  ] as const)("does not prevent an answer: %s.%s", async (part, name) => {
    await at.withProxy({ store: broken(part, name) }, async (proxy) => {
      const answer = await post(proxy, "chat/completions", body);
      expect({ status: answer.status, why: answer.header("degraded") }).toEqual({ status: 200, why: "store" });
      expect(at.upstream.log.at(-1)?.body).toBe(body);
      expect(proxy.errors[0]).toBeInstanceOf(StoreError);
    });
  });

  it("may only lack memories", async () => {
    const store = inProcessStore();
    const memories = new Proxy(store.memories, {
      get: () => async () => {
        throw new StoreError("unavailable", "The database is gone.");
      },
    });
    await at.withProxy({ store: { ...store, memories }, memory: true, onAppend: () => undefined }, async (proxy) => {
      const answer = await post(proxy, "chat/completions", body);
      expect({ status: answer.status, why: answer.header("degraded") }).toEqual({ status: 200, why: "memory" });
      expect(at.upstream.log.at(-1)?.body).toBe(body);
    });
  });
});
