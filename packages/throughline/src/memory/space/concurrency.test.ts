import { describe, expect, it } from "vitest";
import { openBeside, openMemory, textsOf } from "../open-memory.fixture.ts";

describe("several services on one store", () => {
  it("save a fact once and count every mention", async () => {
    const first = await openMemory({ userId: "ada" });
    const services = await Promise.all(Array.from({ length: 6 }, () => openBeside(first, { userId: "ada" })));
    const facts = Array.from({ length: 8 }, (_, n) => `User likes colour-${n}`);
    const told = await Promise.all(
      services.flatMap(({ memory }, who) =>
        facts.map((text, n) => memory.remember({ text, source: { sessionId: `s${who}`, messageId: `m${n}` } })),
      ),
    );
    const all = await first.memory.list({ all: true, limit: 1_000 });
    expect(all.map(({ levels }) => levels.full).sort()).toEqual(facts);
    expect(all.map(({ mentions }) => mentions)).toEqual(facts.map(() => services.length));
    expect(told.filter(({ outcome }) => outcome === "added")).toHaveLength(facts.length);
    const { revision } = await first.store.memories.head("user:ada");
    expect(revision).toBe(services.length * facts.length);
  });

  it("replace in sequence: one current value, with a gapless history", async () => {
    const first = await openMemory({ userId: "ada" });
    const services = await Promise.all(Array.from({ length: 5 }, () => openBeside(first, { userId: "ada" })));
    const cities = ["Rome", "Oslo", "Bern", "Graz", "Kyiv"];
    await Promise.all(services.map(({ memory }, n) => memory.remember({ text: `User lives in ${cities[n]}` })));
    const all = await first.memory.list({ all: true });
    expect(all).toHaveLength(cities.length);
    expect(all.filter(({ validTo }) => validTo === undefined)).toHaveLength(1);
    expect(await textsOf(first.memory, "Where does the user live?")).toHaveLength(1);
  });

  it("ingest one session concurrently, with each turn in its position", async () => {
    const first = await openMemory({ userId: "ada" });
    const services = await Promise.all(Array.from({ length: 4 }, () => openBeside(first, { userId: "ada" })));
    const messages = Array.from({ length: 10 }, (_, n) => ({ id: `m${n}`, role: "user", text: `I love colour-${n}.` }));
    await Promise.all(services.map(({ memory }) => memory.ingest({ sessionId: "s", messages })));
    await Promise.all(
      services.map(({ memory }) => memory.ingest({ sessionId: "s", messages: [{ role: "user", text: "Bye" }] })),
    );
    const turns = await first.store.memories.list("user:ada", "turns", { sessionId: "s" });
    expect(turns.map(({ position }) => position)).toEqual(Array.from({ length: 14 }, (_, n) => n));
    expect((await first.memory.list()).map(({ mentions }) => mentions)).toEqual(messages.map(() => 1));
  });

  it("pin ten facts and no more", async () => {
    const first = await openMemory({ userId: "ada" });
    const services = await Promise.all(Array.from({ length: 15 }, () => openBeside(first, { userId: "ada" })));
    const done = await Promise.allSettled(
      services.map(({ memory }, n) =>
        memory.remember({ text: `User likes colour-${n}`, category: "preference", pinned: true }),
      ),
    );
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(await first.memory.list()).toHaveLength(10);
  });

  it("resolve a contradiction once, and undo an entry once", async () => {
    const first = await openMemory({ userId: "ada" });
    const other = await openBeside(first, { userId: "ada" });
    await first.memory.remember({ text: "The build takes 5 minutes" });
    await first.memory.remember({ text: "The build takes 50 minutes" });
    const [found] = await first.memory.contradictions();
    const settle = [first, other].map(({ memory }) => memory.resolve(found?.id ?? "", { resolution: "a_wins" }));
    expect((await Promise.allSettled(settle)).map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [entry] = await first.memory.journal({ limit: 1 });
    const undo = [first, other].map(({ memory }) => memory.undo(entry?.id ?? ""));
    expect((await Promise.allSettled(undo)).map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await first.memory.contradictions({ status: "open" })).toHaveLength(1);
  });

  it("do not restore a memory that is erased during a change", async () => {
    const first = await openMemory({ userId: "ada" });
    const other = await openBeside(first, { userId: "ada" });
    for (let n = 0; n < 20; n += 1) {
      const { memory: known } = await first.memory.remember({ text: `User likes colour-${n}` });
      await Promise.allSettled([
        other.memory.update(known.id, { confidence: 0.9 }),
        first.memory.purge(known.id),
        other.memory.remember({ text: `User likes colour-${n}`, aliases: ["x"] }),
        other.memory.forget(known.id),
      ]);
      expect(await first.memory.get(known.id)).toBeUndefined();
    }
  });
});
