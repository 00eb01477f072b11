import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../../../throughline/src/ports/store.ts";
import { inProcessStore } from "../../../throughline/src/store/in-process.ts";
import { sqliteStore } from "../../../throughline/src/store/sqlite/sqlite-store.ts";
import type { Reply } from "../../test/provider/provider.ts";
import { type ProviderServer, startProviderServer } from "./provider-server.fixture.ts";
import { type ProxyRig, startProxy } from "./proxy.fixture.ts";

let upstream: ProviderServer;
const folder = mkdtempSync(join(tmpdir(), "throughline-proxy-"));
beforeAll(async () => {
  upstream = await startProviderServer();
});
afterAll(async () => {
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = (store: Store = inProcessStore()) => startProxy({ store, model: { url: upstream.url } });
const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

/** Asks with these messages, and gives the session that they were found to be in. */
async function ask(
  proxy: ProxyRig,
  messages: readonly object[],
  headers: Record<string, string> = {},
  reply: Reply = { text: "Hello." },
): Promise<string> {
  upstream.provider.answer = () => reply;
  const body = JSON.stringify({ model: "gpt-4o", messages });
  const answer = await fetch(`${proxy.url}/chat/completions`, { method: "POST", body, headers });
  expect(answer.status, await answer.text()).toBe(200);
  expect(answer.headers.get("x-throughline-degraded")).toBeNull();
  return answer.headers.get("x-throughline-session") ?? "";
}

async function texts(proxy: ProxyRig, session: string, userId?: string): Promise<string[]> {
  const history = await (await proxy.throughline(userId)).session(session).history();
  return history.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
}

const FIRST = [user("Hi")];
const SECOND = [...FIRST, assistant("Hello."), user("And now?")];
const THIRD = [...SECOND, assistant("Hello."), user("And then?")];

describe("a conversation without a name", () => {
  it("is one session, found by its beginning, whatever its system prompt", async () => {
    const proxy = await start();
    const ids = [
      await ask(proxy, [{ role: "system", content: "It is noon." }, ...FIRST]),
      await ask(proxy, [{ role: "system", content: "It is one." }, ...SECOND]),
      await ask(proxy, THIRD),
    ];
    expect(new Set(ids).size).toBe(1);
    expect(await texts(proxy, ids[0] ?? "")).toEqual(["Hi", "Hello.", "And now?", "Hello.", "And then?", "Hello."]);
    await proxy.close();
  });

  it("goes on after a restart, on a database", async () => {
    const path = join(folder, "restart.db");
    const ids: string[] = [];
    for (const messages of [FIRST, SECOND, THIRD]) {
      const store = sqliteStore(path);
      const proxy = await start(store);
      ids.push(await ask(proxy, messages));
      await proxy.close();
      await store.close();
    }
    expect(new Set(ids).size).toBe(1);
  });

  it("forks where a message was edited, and each branch goes on by itself", async () => {
    const proxy = await start();
    const first = await ask(proxy, FIRST);
    expect(await ask(proxy, SECOND)).toBe(first);
    const EDITED = [...FIRST, assistant("Hello."), user("And tomorrow?")];
    const fork = await ask(proxy, EDITED);
    expect(fork).not.toBe(first);
    expect(await ask(proxy, [...EDITED, assistant("Hello."), user("Why?")])).toBe(fork);
    expect(await ask(proxy, THIRD)).toBe(first);
    expect(await texts(proxy, fork)).toEqual(["Hi", "Hello.", "And tomorrow?", "Hello.", "Why?", "Hello."]);
    // The answer may be edited too, or be asked for again.
    expect(await ask(proxy, [...FIRST, assistant("Good day."), user("And now?")])).not.toBe(first);
    expect(await ask(proxy, THIRD)).not.toBe(first);
    await proxy.close();
  });

  it("has one branch for each answer, and goes on in the branch whose answer comes back", async () => {
    const proxy = await start();
    const first = await ask(proxy, FIRST);
    const again = await ask(proxy, FIRST, {}, { text: "Good day." });
    expect(again).not.toBe(first);
    expect(await ask(proxy, SECOND)).toBe(first);
    expect(await ask(proxy, [...FIRST, assistant("Good day."), user("And now?")])).toBe(again);
    await proxy.close();
  });

  it("does not go on in another session that begins alike and has another answer", async () => {
    const proxy = await start();
    const abandoned = await ask(proxy, FIRST, {}, { text: "Hello." });
    // The answer to the second one is broken off: nothing of it is stored.
    upstream.trouble = "Come back later.";
    const body = JSON.stringify({ model: "gpt-4o", messages: FIRST });
    const stopped = await fetch(`${proxy.url}/chat/completions`, { method: "POST", body });
    upstream.trouble = undefined;
    const second = stopped.headers.get("x-throughline-session");
    expect(second).not.toBe(abandoned);
    expect(await ask(proxy, [...FIRST, assistant("Good d"), user("Write a poem.")])).toBe(second);
    expect(await texts(proxy, abandoned)).toEqual(["Hi", "Hello."]);
    await proxy.close();
  });

  it("goes on in its own session if the client reformats answers, though another one stopped at its beginning", async () => {
    const proxy = await start();
    const said = "<think>Hm.</think>Hello,  I am **here**.";
    const first = await ask(proxy, FIRST, {}, { text: said });
    upstream.trouble = "Come back later.";
    const body = JSON.stringify({ model: "gpt-4o", messages: FIRST });
    await (await fetch(`${proxy.url}/chat/completions`, { method: "POST", body })).text();
    upstream.trouble = undefined;
    expect(await ask(proxy, [...FIRST, assistant("Hello, I am here."), user("And now?")])).toBe(first);
    await proxy.close();
  });

  it("goes on where a client changed an answer, and the model gets the answer as it is now", async () => {
    const proxy = await start();
    const first = await ask(proxy, FIRST);
    const edited = [...FIRST, assistant("Hello, I am an assistant."), user("And now?")];
    expect(await ask(proxy, edited)).toBe(first);
    expect(upstream.log.at(-1)?.body).toBe(JSON.stringify({ model: "gpt-4o", messages: edited }));
    expect(await ask(proxy, [...edited, assistant("Hello."), user("And then?")])).toBe(first);
    await proxy.close();
  });

  it("begins once more where a client puts a summary in the place of what was said, and goes on there", async () => {
    const proxy = await start();
    const first = await ask(proxy, FIRST);
    await ask(proxy, SECOND);
    const ids: string[] = [];
    for (const [index, beginning] of [[user("So far: we said hello.")], FIRST].entries()) {
      const messages: object[] = [...beginning, assistant("We said hello twice."), user(`Go on ${index}.`)];
      for (let step = 0; step < 3; step += 1) {
        ids.push(await ask(proxy, messages));
        messages.push(assistant("Hello."), user(`More ${step}.`));
      }
    }
    expect(ids).not.toContain(first);
    expect([...new Set(ids.slice(0, 3)), ...new Set(ids.slice(3))]).toEqual([ids[0], ids[3]]);
    await proxy.close();
  });

  it("is another one where the same is asked at the same time", async () => {
    const proxy = await start();
    const ids = await Promise.all(Array.from({ length: 5 }, () => ask(proxy, FIRST)));
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(await texts(proxy, id)).toEqual(["Hi", "Hello."]);
    await proxy.close();
  });

  it("is tried again in the same session where no answer came", async () => {
    const proxy = await start();
    upstream.trouble = "Come back later.";
    const body = JSON.stringify({ model: "gpt-4o", messages: FIRST });
    const refused = await fetch(`${proxy.url}/chat/completions`, { method: "POST", body });
    upstream.trouble = undefined;
    expect(refused.status).toBe(400);
    expect(await ask(proxy, FIRST)).toBe(refused.headers.get("x-throughline-session"));
    await proxy.close();
  });

  it("is known again however a client writes it: spaces, marks, thoughts and JSON do not matter", async () => {
    const proxy = await start();
    const calls = [{ id: "call_1", name: "read", input: { path: "a.ts", lines: [1, 2] } }];
    const said = { text: "<think>Hm.</think>\n\nLet me  look.", calls };
    const first = await ask(proxy, FIRST, {}, said);
    const called = { name: "read", arguments: '{ "lines": [1, 2], "path": "a.ts" }' };
    const echo = {
      role: "assistant",
      content: [{ type: "text", text: "Let me look.", cache_control: { type: "ephemeral" } }],
      tool_calls: [{ id: "call_1", type: "function", function: called }],
      annotations: [],
    };
    const result = { role: "tool", tool_call_id: "call_1", content: "text" };
    expect(await ask(proxy, [...FIRST, echo, result])).toBe(first);
    await proxy.close();
  });

  it("is known again if its first message is split into parts in another way, or more is added to it", async () => {
    const proxy = await start();
    const parts = (...all: string[]) => ({ role: "user", content: all.map((text) => ({ type: "text", text })) });
    const next = [assistant("Hello."), user("And now?")];
    const split = await ask(proxy, [parts("Hi.", "Who are you?")]);
    expect(await ask(proxy, [user("Hi. Who are you?"), ...next])).toBe(split);
    const whole = await ask(proxy, [user("Good day. What is new?")]);
    expect(await ask(proxy, [parts("Good day.", "What is new?"), ...next])).toBe(whole);
    // A request without an answer is sent again with one more part.
    upstream.trouble = "Come back later.";
    const body = JSON.stringify({ model: "gpt-4o", messages: [user("Read a.ts.")] });
    const refused = await fetch(`${proxy.url}/chat/completions`, { method: "POST", body });
    upstream.trouble = undefined;
    expect(await ask(proxy, [parts("Read a.ts.", "Please.")])).toBe(refused.headers.get("x-throughline-session"));
    await proxy.close();
  });

  it("stays one session for a client that adds a tool's defaults to the input of a call", async () => {
    const proxy = await start();
    const input = { path: "a.ts", old_string: "a", new_string: "b" };
    const first = await ask(proxy, FIRST, {}, { calls: [{ id: "call_1", name: "edit", input }] });
    const called = { name: "edit", arguments: JSON.stringify({ replace_all: false, ...input }) };
    const echo = {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "call_1", type: "function", function: called }],
    };
    const sent = [...FIRST, echo, { role: "tool", tool_call_id: "call_1", content: "edited" }];
    expect(await ask(proxy, sent)).toBe(first);
    expect(JSON.parse(upstream.log.at(-1)?.body ?? "")).toMatchObject({ messages: sent });
    await proxy.close();
  });

  it("keeps the call ids of results that a client sends in another order", async () => {
    const proxy = await start();
    const ids = ["call_a", "call_b"];
    const calls = ids.map((id) => ({ id, name: "read", input: { path: id } }));
    const first = await ask(proxy, FIRST, {}, { calls });
    const turned = [...ids].reverse();
    const tool_calls = turned.map((id) => ({
      id,
      type: "function",
      function: { name: "read", arguments: JSON.stringify({ path: id }) },
    }));
    const results = turned.map((id) => ({ role: "tool", tool_call_id: id, content: `text of ${id}` }));
    expect(await ask(proxy, [...FIRST, { role: "assistant", content: null, tool_calls }, ...results])).toBe(first);
    const history = await (await proxy.throughline()).session(first).history();
    const stored = history.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool-result" ? [[part.toolCallId, part.output]] : [])),
    );
    expect(stored).toMatchObject(turned.map((id) => [id, { value: `text of ${id}` }]));
    await proxy.close();
  });

  it("begins anew where its session was purged, or somebody else wrote to it", async () => {
    const proxy = await start();
    const throughline = await proxy.throughline();
    const first = await ask(proxy, FIRST);
    await throughline.purgeSession(first);
    const second = await ask(proxy, SECOND);
    expect(second).not.toBe(first);
    await throughline.session(second).append([{ role: "user", content: "By the way" }]);
    expect(await ask(proxy, THIRD)).not.toBe(second);
    await proxy.close();
  });

  it("is each user's own", async () => {
    const proxy = await start();
    const adas = await ask(proxy, FIRST, { "x-user": "ada" });
    const bobs = await ask(proxy, SECOND, { "x-user": "bob" });
    expect(bobs).not.toBe(adas);
    expect(await ask(proxy, SECOND, { "x-user": "ada" })).toBe(adas);
    expect((await (await proxy.throughline("bob")).sessions()).map(({ sessionId }) => sessionId)).toEqual([bobs]);
    // Even under another's name there is only one's own.
    expect(await ask(proxy, FIRST, { "x-user": "bob", "x-throughline-session": adas })).toBe(adas);
    expect(await texts(proxy, adas, "bob")).toEqual(["Hi", "Hello."]);
    expect(await texts(proxy, adas, "ada")).toEqual(["Hi", "Hello.", "And now?", "Hello."]);
    await proxy.close();
  });
});

describe("a project", () => {
  it("does not see another's conversations, by their beginnings or by their names", async () => {
    const proxy = await start();
    const first = await ask(proxy, FIRST, { "x-project": "garden" });
    expect(await ask(proxy, SECOND, { "x-project": "kitchen" })).not.toBe(first);
    expect(await ask(proxy, SECOND, { "x-project": "garden" })).toBe(first);
    const inside = { "x-project": "garden", "x-throughline-session": "trip" };
    expect(await ask(proxy, [user("The key is under the mat.")], inside)).toBe("trip");
    const outside = { "x-project": "kitchen", "x-throughline-session": "trip" };
    const other = await ask(proxy, [user("Where is the key?")], outside);
    expect(other).toMatch(/^trip~/);
    expect(upstream.log.at(-1)?.body).not.toContain("mat");
    expect(await ask(proxy, [user("Where is the key?"), assistant("Hello."), user("Well?")], outside)).toBe(other);
    expect(await ask(proxy, [user("Where is the key?")], inside)).toBe("trip");
    expect(upstream.log.at(-1)?.body).toContain("mat");
    await proxy.close();
  });
});

describe("a conversation with a name", () => {
  const named = { "x-throughline-session": "trip" };

  it("is the session of that name, for who sends all of it", async () => {
    const proxy = await start();
    for (const messages of [FIRST, SECOND, THIRD]) expect(await ask(proxy, messages, named)).toBe("trip");
    expect(await texts(proxy, "trip")).toHaveLength(6);
    const fork = await ask(proxy, [user("Hi"), assistant("Hello."), user("Another way?")], named);
    expect(fork).toMatch(/^trip~/);
    expect(await ask(proxy, [...THIRD, assistant("Hello."), user("Go on.")], named)).toBe("trip");
    await proxy.close();
  });

  it("is remembered for who sends only what is new: the model gets all of it", async () => {
    const proxy = await start();
    await ask(proxy, [user("My cat is called Momo.")], named);
    await ask(proxy, [user("What is its name?")], named);
    // The end of a conversation may come along.
    await ask(proxy, [user("What is its name?"), assistant("Hello."), user("Sure?")], named);
    const sent = JSON.parse(upstream.log.at(-1)?.body ?? "") as { messages: object[] };
    const all = ["My cat is called Momo.", "Hello.", "What is its name?", "Hello.", "Sure?"];
    expect(sent.messages).toEqual(all.map((text, index) => (index % 2 === 0 ? user(text) : assistant(text))));
    expect(await texts(proxy, "trip")).toEqual([...all, "Hello."]);
    await proxy.close();
  });

  it("takes no answer for a new one that a client sends along in its own form", async () => {
    const proxy = await start();
    const calls = [{ id: "call_1", name: "read", input: { path: "a.ts" } }];
    await ask(proxy, [user("Read a.ts.")], named, { text: "Let me look.", calls });
    const call = { id: "x1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } };
    const tail = [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "x1", content: "text" },
    ];
    await ask(proxy, tail, named, { text: "It says: text." });
    const sent = JSON.parse(upstream.log.at(-1)?.body ?? "") as { messages: object[] };
    expect(sent.messages).toEqual([user("Read a.ts."), ...tail]);
    expect(await texts(proxy, "trip")).toEqual(["Read a.ts.", "Let me look.", "It says: text."]);
    await proxy.close();
  });

  it("goes on with what the library appended", async () => {
    const proxy = await start();
    await (await proxy.throughline()).session("trip").append(SECOND.slice(0, 2));
    expect(await ask(proxy, SECOND, named)).toBe("trip");
    expect(upstream.log.at(-1)?.body).toBe(JSON.stringify({ model: "gpt-4o", messages: SECOND }));
    await proxy.close();
  });

  it("is refused where the name is none", async () => {
    const proxy = await start();
    const body = JSON.stringify({ model: "gpt-4o", messages: FIRST });
    const headers = { "x-throughline-session": "two words" };
    const answer = await fetch(`${proxy.url}/chat/completions`, { method: "POST", body, headers });
    expect(await answer.json()).toMatchObject({ status: 400, code: "bad-request" });
    await proxy.close();
  });
});

describe("an answer that the upstream keeps", () => {
  const respond = async (proxy: ProxyRig, input: string | readonly object[], previous?: string) => {
    const body = JSON.stringify({ model: "gpt-4o", input, ...(previous && { previous_response_id: previous }) });
    const answer = await fetch(`${proxy.url}/responses`, { method: "POST", body });
    const { id } = (await answer.json()) as { id: string };
    expect(upstream.log.at(-1)?.body).toBe(body);
    return {
      id,
      session: answer.headers.get("x-throughline-session"),
      why: answer.headers.get("x-throughline-degraded"),
    };
  };

  it("leads to its session, and a second request that goes on from it is a branch", async () => {
    const path = join(folder, "responses.db");
    const store = sqliteStore(path);
    const proxy = await start(store);
    upstream.provider.answer = () => ({ text: "Hello." });
    const first = await respond(proxy, "Hi");
    const second = await respond(proxy, "And now?", first.id);
    expect(second.session).toBe(first.session);
    await proxy.close();
    const again = await start(store);
    const branch = await respond(again, "And tomorrow?", first.id);
    expect(branch.session).not.toBe(first.session);
    expect(await texts(again, branch.session ?? "")).toEqual(["Hi", "Hello.", "And tomorrow?", "Hello."]);
    expect((await respond(again, "More", second.id)).session).toBe(first.session);
    // There need not be anything new to go on from it.
    expect((await respond(again, [], branch.id)).session).toBe(branch.session);
    expect(await texts(again, branch.session ?? "")).toHaveLength(5);
    await again.close();
    await store.close();
  });

  it("is gone on from in the same session after a request that got no answer", async () => {
    const proxy = await start();
    upstream.provider.answer = () => ({ text: "Hello." });
    const first = await respond(proxy, "Hi");
    upstream.fault = () => "busy";
    const busy = await respond(proxy, "And now?", first.id);
    upstream.fault = undefined;
    const again = await respond(proxy, "And now?", first.id);
    expect([busy.session, again.session]).toEqual([first.session, first.session]);
    expect(await texts(proxy, first.session ?? "")).toEqual(["Hi", "Hello.", "And now?", "Hello."]);
    await proxy.close();
  });

  it("that was never seen here is gone on from as the request says, and the answer says so", async () => {
    const proxy = await start();
    const { id } = await respond(proxy, "Hi");
    const other = await start();
    expect(await respond(other, "More", id)).toMatchObject({ session: null, why: "unknown-response" });
    await proxy.close();
    await other.close();
  });
});
