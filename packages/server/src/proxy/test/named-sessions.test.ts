import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../../../throughline/src/store/sqlite/sqlite-store.ts";
import type { RunningProxy } from "./proxy.fixture.ts";
import { assistant, FIRST, proxySessions, SECOND, THIRD, texts, user } from "./proxy-sessions.fixture.ts";

const sessions = proxySessions();
const { folder, start, ask } = sessions;

describe("a project", () => {
  it("does not see conversations of another project, by content or by name", async () => {
    const proxy = await start();
    const first = await ask(proxy, FIRST, { "x-project": "garden" });
    expect(await ask(proxy, SECOND, { "x-project": "kitchen" })).not.toBe(first);
    expect(await ask(proxy, SECOND, { "x-project": "garden" })).toBe(first);
    const inside = { "x-project": "garden", "x-throughline-session": "trip" };
    expect(await ask(proxy, [user("The key is under the mat.")], inside)).toBe("trip");
    const outside = { "x-project": "kitchen", "x-throughline-session": "trip" };
    const other = await ask(proxy, [user("Where is the key?")], outside);
    expect(other).toMatch(/^trip~/);
    expect(sessions.upstream.log.at(-1)?.body).not.toContain("mat");
    expect(await ask(proxy, [user("Where is the key?"), assistant("Hello."), user("Well?")], outside)).toBe(other);
    expect(await ask(proxy, [user("Where is the key?")], inside)).toBe("trip");
    expect(sessions.upstream.log.at(-1)?.body).toContain("mat");
    await proxy.close();
  });
});

describe("a conversation with a name", () => {
  const named = { "x-throughline-session": "trip" };

  it("is the session of that name if the client sends the whole conversation", async () => {
    const proxy = await start();
    for (const messages of [FIRST, SECOND, THIRD]) expect(await ask(proxy, messages, named)).toBe("trip");
    expect(await texts(proxy, "trip")).toHaveLength(6);
    const fork = await ask(proxy, [user("Hi"), assistant("Hello."), user("Another way?")], named);
    expect(fork).toMatch(/^trip~/);
    expect(await ask(proxy, [...THIRD, assistant("Hello."), user("Go on.")], named)).toBe("trip");
    await proxy.close();
  });

  it("is completed if the client sends only new messages: the model gets all of them", async () => {
    const proxy = await start();
    await ask(proxy, [user("My cat is called Momo.")], named);
    await ask(proxy, [user("What is its name?")], named);
    // The end of a conversation may be sent again.
    await ask(proxy, [user("What is its name?"), assistant("Hello."), user("Sure?")], named);
    const sent = JSON.parse(sessions.upstream.log.at(-1)?.body ?? "") as { messages: object[] };
    const all = ["My cat is called Momo.", "Hello.", "What is its name?", "Hello.", "Sure?"];
    expect(sent.messages).toEqual(all.map((text, index) => (index % 2 === 0 ? user(text) : assistant(text))));
    expect(await texts(proxy, "trip")).toEqual([...all, "Hello."]);
    await proxy.close();
  });

  it("does not store an answer again that the client sends back in its own form", async () => {
    const proxy = await start();
    const calls = [{ id: "call_1", name: "read", input: { path: "a.ts" } }];
    await ask(proxy, [user("Read a.ts.")], named, { text: "Let me look.", calls });
    const call = { id: "x1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } };
    const tail = [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "x1", content: "text" },
    ];
    await ask(proxy, tail, named, { text: "It says: text." });
    const sent = JSON.parse(sessions.upstream.log.at(-1)?.body ?? "") as { messages: object[] };
    expect(sent.messages).toEqual([user("Read a.ts."), ...tail]);
    expect(await texts(proxy, "trip")).toEqual(["Read a.ts.", "Let me look.", "It says: text."]);
    await proxy.close();
  });

  it("continues after messages that the library appended", async () => {
    const proxy = await start();
    await (await proxy.throughline()).session("trip").append(SECOND.slice(0, 2));
    expect(await ask(proxy, SECOND, named)).toBe("trip");
    expect(sessions.upstream.log.at(-1)?.body).toBe(JSON.stringify({ model: "gpt-4o", messages: SECOND }));
    await proxy.close();
  });

  it("is rejected if the name is invalid", async () => {
    const proxy = await start();
    const body = JSON.stringify({ model: "gpt-4o", messages: FIRST });
    const headers = { "x-throughline-session": "two words" };
    const answer = await fetch(`${proxy.url}/chat/completions`, { method: "POST", body, headers });
    expect(await answer.json()).toMatchObject({ status: 400, code: "bad-request" });
    await proxy.close();
  });
});

describe("a response that the upstream stores", () => {
  const respond = async (proxy: RunningProxy, input: string | readonly object[], previous?: string) => {
    const body = JSON.stringify({ model: "gpt-4o", input, ...(previous && { previous_response_id: previous }) });
    const answer = await fetch(`${proxy.url}/responses`, { method: "POST", body });
    const { id } = (await answer.json()) as { id: string };
    expect(sessions.upstream.log.at(-1)?.body).toBe(body);
    return {
      id,
      session: answer.headers.get("x-throughline-session"),
      why: answer.headers.get("x-throughline-degraded"),
    };
  };

  it("leads to its session, and a second request that continues it is a branch", async () => {
    const path = join(folder, "responses.db");
    const store = sqliteStore(path);
    const proxy = await start(store);
    sessions.upstream.provider.answer = () => ({ text: "Hello." });
    const first = await respond(proxy, "Hi");
    const second = await respond(proxy, "And now?", first.id);
    expect(second.session).toBe(first.session);
    await proxy.close();
    const again = await start(store);
    const branch = await respond(again, "And tomorrow?", first.id);
    expect(branch.session).not.toBe(first.session);
    expect(await texts(again, branch.session ?? "")).toEqual(["Hi", "Hello.", "And tomorrow?", "Hello."]);
    expect((await respond(again, "More", second.id)).session).toBe(first.session);
    // A continuation need not have new messages.
    expect((await respond(again, [], branch.id)).session).toBe(branch.session);
    expect(await texts(again, branch.session ?? "")).toHaveLength(5);
    await again.close();
    await store.close();
  });

  it("continues in the same session after a request without an answer", async () => {
    const proxy = await start();
    sessions.upstream.provider.answer = () => ({ text: "Hello." });
    const first = await respond(proxy, "Hi");
    sessions.upstream.fault = () => "busy";
    const busy = await respond(proxy, "And now?", first.id);
    sessions.upstream.fault = undefined;
    const again = await respond(proxy, "And now?", first.id);
    expect([busy.session, again.session]).toEqual([first.session, first.session]);
    expect(await texts(proxy, first.session ?? "")).toEqual(["Hi", "Hello.", "And now?", "Hello."]);
    await proxy.close();
  });

  it("that is unknown here is forwarded unchanged, with a header that names the reason", async () => {
    const proxy = await start();
    const { id } = await respond(proxy, "Hi");
    const other = await start();
    expect(await respond(other, "More", id)).toMatchObject({ session: null, why: "unknown-response" });
    await proxy.close();
    await other.close();
  });
});
