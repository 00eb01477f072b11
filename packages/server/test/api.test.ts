import { describe, expect, it, vi } from "vitest";
import { PATIENT } from "../../throughline/test/cases.ts";
import { createClient } from "../src/client/client.ts";
import { apiServer } from "./api-server.ts";

const server = apiServer();

interface Listed {
  readonly items: readonly { readonly id: string; readonly levels: { readonly full: string } }[];
  readonly next_cursor: string | null;
}

describe("a write with an Idempotency-Key", () => {
  const remember = (text: string, key: string) =>
    server.call("POST", "/memories", { text }, { "idempotency-key": key });

  it("is carried out once, with the same response both times", async () => {
    const first = await remember("The build runs on port 7001.", "once");
    const second = await remember("The build runs on port 7001.", "once");
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json()).toEqual(first.json());
    expect(second.headers["idempotent-replayed"]).toBe("true");
    const { items } = await server.get<Listed>("/memories");
    expect(items.filter(({ levels }) => levels.full.includes("7001"))).toHaveLength(1);
  });

  it("is rejected if the key was used for something else", async () => {
    await remember("The staging server is called Heron.", "other");
    expect((await remember("The staging server is called Egret.", "other")).json()).toMatchObject({
      status: 422,
      code: "idempotency-conflict",
    });
  });

  it("is carried out once if it is sent ten times at once", async () => {
    const text = "The mascot of the team is an otter.";
    const answers = await Promise.all(Array.from({ length: 10 }, () => remember(text, "ten")));
    expect(answers.filter(({ status }) => status === 201 || status === 409)).toHaveLength(10);
    const { items } = await server.get<Listed>("/memories");
    const [otter, ...others] = items.filter(({ levels }) => levels.full === text);
    expect({ others, mentions: otter }).toMatchObject({ others: [], mentions: { mentions: 1 } });
  });
});

describe("a purge", () => {
  it("erases the stored responses", async () => {
    const headers = { "idempotency-key": "to-be-purged" };
    const text = "The safe opens with the word zucchetto.";
    const { memory } = await server.post<{ memory: { id: string } }>("/memories", { text }, headers);
    const purged = await server.call("DELETE", `/memories/${memory.id}`, undefined, { "idempotency-key": "the-purge" });
    expect(purged.status).toBe(200);
    const again = await server.call("DELETE", `/memories/${memory.id}`, undefined, { "idempotency-key": "the-purge" });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const claimed = await server.store.server.answers.claim("local", '[null,"to-be-purged"]', "", 1);
    expect(claimed).toBe("taken");
  });
});

describe("a list", () => {
  it("returns each item once, page by page", async () => {
    for (let i = 0; i < 7; i += 1)
      await server.post("/memories", { text: `Rack number ${i} holds the ${i}th printer.` });
    const all = (await server.get<Listed>("/memories?limit=200")).items.map(({ id }) => id);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Listed = await server.get(`/memories?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(page.items.length).toBeLessThanOrEqual(3);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(all);
  });

  it("rejects an invalid cursor", async () => {
    expect((await server.call("GET", "/memories?cursor=%21%21")).json()).toMatchObject({ code: "bad-request" });
  });
});

describe("an invalid body", () => {
  it("is rejected with the position of the error", async () => {
    const answer = await server.call("POST", "/memories", { text: "x", pined: true, confidence: 2 });
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(answer.json()).toMatchObject({ status: 400, code: "bad-request", errors: [{ pointer: "/" }] });
  });

  it("is rejected if it is not JSON, or has another content type", async () => {
    const broken = await fetch(`${server.url}/memories`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ code: "bad-request" });
    const plain = await fetch(`${server.url}/memories`, { method: "POST", body: '{"text":"x"}' });
    expect(await plain.json()).toMatchObject({ status: 415, code: "unsupported-media-type" });
  });
});

describe("a body without a size", () => {
  const stream = (text: string) => new Response(text).body;
  const send = (body: ReadableStream | null) =>
    fetch(`${server.url}/memories`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit);

  it("is read like any other", async () => {
    expect((await send(stream('{"text":"The kettle is in the left cupboard."}'))).status).toBe(201);
  });

  it("is rejected if it is too large", async () => {
    const piece = new Uint8Array(1024 * 1024).fill(32);
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 80) controller.close();
        else controller.enqueue(piece);
      },
    });
    // A server that refuses a request need not read its body. A client that is still sending may lose the response.
    const answer = await send(endless).catch(() => undefined);
    expect([413, undefined]).toContain(answer?.status);
  });
});

describe("a session with remember", () => {
  it("stores memories automatically", async () => {
    const client = createClient({ url: server.url });
    const { id } = await client.sessions.create({ remember: true });
    await client.sessions.append(id, [{ role: "user", content: "By the way, I live in Trondheim." }]);
    await vi.waitFor(async () => {
      const { items } = await client.memories.search({ query: "Where do I live?", from: "memories" });
      expect(items.map(({ text }) => text).join()).toContain("Trondheim");
    }, PATIENT);
  });
});

describe("events", () => {
  it("resume after the last one that was seen, without a gap", async () => {
    const client = createClient({ url: server.url });
    const { id } = await client.sessions.create({});
    const stop = new AbortController();
    const events = client.sessions.events(id, { after: "0", signal: stop.signal });
    const first = (await events.next()).value;
    expect(first).toMatchObject({ type: "session:created", session_id: id });
    await events.return(undefined);
    for (let i = 0; i < 3; i += 1) await client.sessions.append(id, [{ role: "user", content: `Message ${i}.` }]);
    const seen: unknown[] = [];
    for await (const event of client.sessions.events(id, { after: first?.id ?? "", signal: stop.signal })) {
      seen.push(event.data);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual([{ appended: 1 }, { appended: 2 }, { appended: 3 }]);
    stop.abort();
  });

  it("of one session are not sent to listeners of another", async () => {
    const client = createClient({ url: server.url });
    const [a, b] = [await client.sessions.create({}), await client.sessions.create({})];
    await client.sessions.append(a.id, [{ role: "user", content: "Only for a." }]);
    await client.sessions.append(b.id, [{ role: "user", content: "Only for b." }]);
    const types: string[] = [];
    for await (const event of client.sessions.events(b.id, { after: "0" })) {
      expect(event.session_id).toBe(b.id);
      types.push(event.type);
      if (types.length === 2) break;
    }
    expect(types).toEqual(["session:created", "session:appended"]);
  });
});

describe("a long session", () => {
  it("is compacted, undone and recalled over HTTP", async () => {
    const client = createClient({ url: server.url });
    const { id } = await client.sessions.create({ contextLimit: 6_000, modelId: "gpt-4o" });
    const filler = "Look at the parser once more and say what it does with brackets. ".repeat(20);
    await client.sessions.append(id, [{ role: "user", content: "Repair the parser in src/parse.ts." }]);
    for (let i = 0; i < 25; i += 1) {
      await client.sessions.append(id, [
        { role: "assistant", content: `Step ${i}: ${filler}` },
        { role: "user", content: `Go on with step ${i + 1}.` },
      ]);
    }
    const turn = await client.sessions.prepare(id, { budget: 4_000 });
    expect(turn).toMatchObject({ was_compacted: true });
    expect(turn.tokens.final).toBeLessThanOrEqual(4_000);
    expect(JSON.stringify(turn.messages)).toContain("Repair the parser in src/parse.ts.");
    const { items } = await client.sessions.compactions(id);
    const [compaction] = items;
    await client.sessions.restore(id, compaction?.id ?? "");
    await client.sessions.restore(id, compaction?.id ?? "");
    await expect(client.sessions.restore(id, `${id}/compaction-9`)).rejects.toMatchObject({ status: 404 });
    expect((await client.sessions.compactions(id)).items[0]).toMatchObject({ is_undone: true });
    expect((await client.sessions.get(id)).appended).toBe(51);
    await expect(client.sessions.recall(id, "part:nowhere")).rejects.toMatchObject({ code: "not-found", status: 404 });
  });
});
