import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../../../throughline/src/store/sqlite/sqlite-store.ts";
import { assistant, FIRST, proxySessions, SECOND, THIRD, texts, user } from "./proxy-sessions.fixture.ts";

const sessions = proxySessions();
const { folder, start, ask } = sessions;

describe("a conversation without a name", () => {
  it("is one session, found by its start, for any system prompt", async () => {
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

  it("continues after a restart, on a database", async () => {
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

  it("branches at an edited message, and each branch continues on its own", async () => {
    const proxy = await start();
    const first = await ask(proxy, FIRST);
    expect(await ask(proxy, SECOND)).toBe(first);
    const EDITED = [...FIRST, assistant("Hello."), user("And tomorrow?")];
    const fork = await ask(proxy, EDITED);
    expect(fork).not.toBe(first);
    expect(await ask(proxy, [...EDITED, assistant("Hello."), user("Why?")])).toBe(fork);
    expect(await ask(proxy, THIRD)).toBe(first);
    expect(await texts(proxy, fork)).toEqual(["Hi", "Hello.", "And tomorrow?", "Hello.", "Why?", "Hello."]);
    // The answer may be edited too, or requested again.
    expect(await ask(proxy, [...FIRST, assistant("Good day."), user("And now?")])).not.toBe(first);
    expect(await ask(proxy, THIRD)).not.toBe(first);
    await proxy.close();
  });

  it("has one branch per answer, and continues in the branch whose answer comes back", async () => {
    const proxy = await start();
    const first = await ask(proxy, FIRST);
    const again = await ask(proxy, FIRST, {}, { text: "Good day." });
    expect(again).not.toBe(first);
    expect(await ask(proxy, SECOND)).toBe(first);
    expect(await ask(proxy, [...FIRST, assistant("Good day."), user("And now?")])).toBe(again);
    await proxy.close();
  });

  it("does not continue in another session with the same start and another answer", async () => {
    const proxy = await start();
    const abandoned = await ask(proxy, FIRST, {}, { text: "Hello." });
    // The second answer is interrupted and is not stored.
    sessions.upstream.trouble = "Come back later.";
    const body = JSON.stringify({ model: "gpt-4o", messages: FIRST });
    const stopped = await fetch(`${proxy.url}/chat/completions`, { method: "POST", body });
    sessions.upstream.trouble = undefined;
    const second = stopped.headers.get("x-throughline-session");
    expect(second).not.toBe(abandoned);
    expect(await ask(proxy, [...FIRST, assistant("Good d"), user("Write a poem.")])).toBe(second);
    expect(await texts(proxy, abandoned)).toEqual(["Hi", "Hello."]);
    await proxy.close();
  });

  it("continues in its own session if the client reformats answers, even if another one stopped at its start", async () => {
    const proxy = await start();
    const said = "<think>Hm.</think>Hello,  I am **here**.";
    const first = await ask(proxy, FIRST, {}, { text: said });
    sessions.upstream.trouble = "Come back later.";
    const body = JSON.stringify({ model: "gpt-4o", messages: FIRST });
    await (await fetch(`${proxy.url}/chat/completions`, { method: "POST", body })).text();
    sessions.upstream.trouble = undefined;
    expect(await ask(proxy, [...FIRST, assistant("Hello, I am here."), user("And now?")])).toBe(first);
    await proxy.close();
  });

  it("continues after a client edited an answer, and the model gets the edited one", async () => {
    const proxy = await start();
    const first = await ask(proxy, FIRST);
    const edited = [...FIRST, assistant("Hello, I am an assistant."), user("And now?")];
    expect(await ask(proxy, edited)).toBe(first);
    expect(sessions.upstream.log.at(-1)?.body).toBe(JSON.stringify({ model: "gpt-4o", messages: edited }));
    expect(await ask(proxy, [...edited, assistant("Hello."), user("And then?")])).toBe(first);
    await proxy.close();
  });

  it("starts again if a client replaces messages by a summary, and continues there", async () => {
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

  it("is a separate one for a concurrent identical request", async () => {
    const proxy = await start();
    const ids = await Promise.all(Array.from({ length: 5 }, () => ask(proxy, FIRST)));
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(await texts(proxy, id)).toEqual(["Hi", "Hello."]);
    await proxy.close();
  });

  it("is retried in the same session if there was no answer", async () => {
    const proxy = await start();
    sessions.upstream.trouble = "Come back later.";
    const body = JSON.stringify({ model: "gpt-4o", messages: FIRST });
    const refused = await fetch(`${proxy.url}/chat/completions`, { method: "POST", body });
    sessions.upstream.trouble = undefined;
    expect(refused.status).toBe(400);
    expect(await ask(proxy, FIRST)).toBe(refused.headers.get("x-throughline-session"));
    await proxy.close();
  });

  it("is recognized with different whitespace, cache marks, thinking and JSON formatting", async () => {
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

  it("is recognized if its first message is split into other parts, or extended", async () => {
    const proxy = await start();
    const parts = (...all: string[]) => ({ role: "user", content: all.map((text) => ({ type: "text", text })) });
    const next = [assistant("Hello."), user("And now?")];
    const split = await ask(proxy, [parts("Hi.", "Who are you?")]);
    expect(await ask(proxy, [user("Hi. Who are you?"), ...next])).toBe(split);
    const whole = await ask(proxy, [user("Good day. What is new?")]);
    expect(await ask(proxy, [parts("Good day.", "What is new?"), ...next])).toBe(whole);
    // A request without an answer is sent again with one more part.
    sessions.upstream.trouble = "Come back later.";
    const body = JSON.stringify({ model: "gpt-4o", messages: [user("Read a.ts.")] });
    const refused = await fetch(`${proxy.url}/chat/completions`, { method: "POST", body });
    sessions.upstream.trouble = undefined;
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
    expect(JSON.parse(sessions.upstream.log.at(-1)?.body ?? "")).toMatchObject({ messages: sent });
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

  it("starts again if its session was purged, or another writer appended to it", async () => {
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

  it("is separate for each user", async () => {
    const proxy = await start();
    const adas = await ask(proxy, FIRST, { "x-user": "ada" });
    const bobs = await ask(proxy, SECOND, { "x-user": "bob" });
    expect(bobs).not.toBe(adas);
    expect(await ask(proxy, SECOND, { "x-user": "ada" })).toBe(adas);
    expect((await (await proxy.throughline("bob")).sessions()).map(({ sessionId }) => sessionId)).toEqual([bobs]);
    // A session name of another user gives access only to one's own sessions.
    expect(await ask(proxy, FIRST, { "x-user": "bob", "x-throughline-session": adas })).toBe(adas);
    expect(await texts(proxy, adas, "bob")).toEqual(["Hi", "Hello."]);
    expect(await texts(proxy, adas, "ada")).toEqual(["Hi", "Hello.", "And now?", "Hello."]);
    await proxy.close();
  });
});
