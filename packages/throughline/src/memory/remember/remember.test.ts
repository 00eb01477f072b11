import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { SecretRefusedError } from "../../errors/memory-errors.ts";
import type { RememberInput } from "../memory-api.ts";
import { openMemory, START } from "../open-memory.fixture.ts";

const said = (messageId: string) => ({ sessionId: "s", messageId });

describe("remember", () => {
  it("adds new facts with confidence 0.6 by hand and 0.75 from a conversation", async () => {
    const { memory } = await openMemory({ userId: "ada" });
    const byHand = await memory.remember({ text: "User lives in Lisbon", category: "identity" });
    expect(byHand).toMatchObject({
      outcome: "added",
      memory: { confidence: 0.6, mentions: 1, byHand: true, owner: "ada", scope: "user-private", pinned: false },
    });
    expect(byHand.memory).toMatchObject({ key: "residence", value: "Lisbon", createdAt: START, validFrom: START });
    const extracted = await memory.remember({ text: "User likes tea", source: said("m1") });
    expect(extracted.memory).toMatchObject({ confidence: 0.75, byHand: false, source: said("m1") });
    expect(await memory.get(byHand.memory.id)).toEqual(byHand.memory);
  });

  it("merges a repetition: confidence +0.15, more by hand, at most 1", async () => {
    const { memory, clock } = await openMemory();
    const first = await memory.remember({ text: "User likes green tea", source: said("m1") });
    clock.pass(1_000);
    const again = await memory.remember({ text: "The user really likes green tea.", source: said("m2") });
    expect(again).toMatchObject({ outcome: "merged", memory: { id: first.memory.id, mentions: 2 } });
    expect(again.memory.confidence).toBeCloseTo(0.9);
    expect(again.memory).toMatchObject({ lastSeenAt: START + 1_000, source: said("m2"), earlierSources: [said("m1")] });
    const third = await memory.remember({ text: "User likes green tea", source: said("m3") });
    expect(third.memory.confidence).toBe(1);

    await memory.remember({ text: "User plays chess" });
    const byHand = await memory.remember({ text: "User plays chess", source: said("m4") });
    expect(byHand.memory.confidence).toBeGreaterThan(0.6 + 0.15);
    expect(await memory.list()).toHaveLength(2);
  });

  it("merges a repetition among many facts with the same key", async () => {
    const { memory } = await openMemory();
    for (let n = 0; n < 12; n += 1) await memory.remember({ text: `User likes thing-${n}` });
    expect(await memory.remember({ text: "User likes thing-0" })).toMatchObject({ outcome: "merged" });
  });

  it("counts a message that is read twice once", async () => {
    const { memory } = await openMemory();
    const { memory: first } = await memory.remember({ text: "User likes green tea", source: said("m1") });
    const again = await memory.remember({ text: "User likes green tea", source: said("m1") });
    expect(again).toEqual({ outcome: "merged", memory: first, related: [] });
    expect(await memory.journal()).toHaveLength(1);
  });

  it("adds aliases and artifacts to a known fact, also from a known message", async () => {
    const { memory } = await openMemory();
    await memory.remember({ text: "We use Kubernetes", source: said("m1"), aliases: ["the cluster"] });
    const artifacts = [{ type: "commit", ref: "abc123" }] as const;
    const again = await memory.remember({ text: "We use Kubernetes", source: said("m1"), artifacts });
    expect(again).toMatchObject({ outcome: "merged", memory: { artifacts, aliases: ["the cluster"] } });
    expect(await memory.get(again.memory.id)).toMatchObject({ artifacts });
    const more = await memory.remember({ text: "We use Kubernetes", source: said("m1"), aliases: ["k8s"] });
    expect((await memory.get(more.memory.id))?.aliases).toEqual(["the cluster", "k8s"]);
  });

  it("replaces an outdated fact: ends it, resets the confidence and keeps the pin", async () => {
    const { memory, clock } = await openMemory();
    await memory.remember({ text: "User is based in Copenhagen", category: "identity", pinned: true });
    const old = await memory.remember({ text: "User is based in Copenhagen", source: said("m1") });
    expect(old.memory).toMatchObject({ mentions: 2, pinned: true });
    clock.pass(5_000);
    const next = await memory.remember({ text: "User is based in London", category: "identity", source: said("m2") });
    expect(next).toMatchObject({
      outcome: "replaced",
      updatesFactId: old.memory.id,
      memory: { confidence: 0.75, mentions: 1, pinned: true, supersedes: old.memory.id, validFrom: START + 5_000 },
    });
    expect(await memory.get(old.memory.id)).toMatchObject({
      validTo: START + 5_000,
      supersededBy: next.memory.id,
      pinned: false,
    });
    expect((await memory.list()).map(({ id }) => id)).toEqual([next.memory.id]);
    expect(await memory.list({ all: true })).toHaveLength(2);
  });

  it("keeps several values of a multi-valued key", async () => {
    const { memory } = await openMemory();
    for (const text of ["User likes tea", "User likes coffee", "User speaks Danish", "User speaks German"]) {
      expect((await memory.remember({ text })).outcome).toBe("added");
    }
    expect(await memory.list()).toHaveLength(4);
  });

  it("ends a fact that is denied", async () => {
    const { memory } = await openMemory();
    const { memory: known } = await memory.remember({ text: "User works at Acme" });
    const said = await memory.remember({ text: "User no longer works at Acme" });
    expect(said).toMatchObject({ outcome: "replaced", updatesFactId: known.id });
    expect((await memory.get(known.id))?.validTo).toBe(START);
  });

  it("uses a given key with any name", async () => {
    const { memory } = await openMemory();
    await memory.remember({
      text: "We went for PostgreSQL.",
      key: "Database",
      value: "PostgreSQL",
      subject: "project",
    });
    const other = { text: "It is MySQL now.", key: "db", value: "MySQL", subject: "Project" };
    expect((await memory.remember(other)).outcome).toBe("replaced");
    expect((await memory.remember({ ...other, subject: "the old shop" })).outcome).toBe("added");
  });

  it("keeps other kinds beside facts, and distinguishes them by all of their words", async () => {
    const { memory } = await openMemory();
    const steps = ["test", "build", "stage", "verify", "prod"];
    const deploy = { kind: "workflow", text: "How we deploy", title: "deploy", steps } as const;
    expect((await memory.remember(deploy)).memory.levels.compressed).toContain("test→build");
    expect((await memory.remember(deploy)).outcome).toBe("merged");
    expect((await memory.remember({ kind: "episode", text: "How we deploy" })).outcome).toBe("added");
    expect((await memory.remember({ text: "How we deploy" })).outcome).toBe("added");
  });

  it("accepts a time of the statement, but none in the future", async () => {
    const { memory } = await openMemory();
    const past = await memory.remember({ text: "User likes tea", source: { at: START - 7 } });
    expect(past.memory).toMatchObject({ lastSeenAt: START - 7, validFrom: START - 7, createdAt: START });
    const future = await memory.remember({ text: "User likes milk", source: { at: START + 7 } });
    expect(future.memory).toMatchObject({ lastSeenAt: START, validFrom: START });
  });
});

describe("refused input", () => {
  const wrong: [string, unknown][] = [
    ["nothing", {}],
    ["no text", { text: "" }],
    ["a text of invisible characters", { text: "\u200b\u2060 \u0007" }],
    ["a number", { text: 5 }],
    ["an unknown kind", { text: "x y", kind: "dream" }],
    ["an unknown category", { text: "x y", category: "secret" }],
    ["an unknown scope", { text: "x y", scope: "everybody" }],
    ["a time that is none", { text: "x y", validFrom: Number.NaN }],
    ["a time beyond all calendars", { text: "x y", validFrom: 1e18 }],
    ["a source at no time", { text: "x y", source: { at: Number.NaN } }],
    ["a key of signs alone", { text: "x y", key: "!!", value: "z" }],
    ["a category of an episode", { text: "x y", kind: "episode", category: "project" }],
    ["an empty alias", { text: "x y", aliases: [" "] }],
    ["aliases that are no list", { text: "x y", aliases: "abc" }],
    ["steps that are no list", { text: "x y", kind: "workflow", steps: 3 }],
    ["an artifact of no known type", { text: "x y", artifacts: [{ type: "ship", ref: "1" }] }],
    ["an artifact without a reference", { text: "x y", artifacts: [{ type: "pr" }] }],
    ["a book", { text: "x ".repeat(60_000) }],
    ["a shared memory without a project", { text: "x y", scope: "project-shared" }],
  ];
  it.each(wrong)("%s", async (_what, input) => {
    const { memory } = await openMemory();
    await expect(memory.remember(input as RememberInput)).rejects.toBeInstanceOf(InvalidOptionError);
    expect(await memory.list({ all: true })).toEqual([]);
  });

  const KEY = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
  const secrets: [string, RememberInput][] = [
    ["its text", { text: `The key is ${KEY}` }],
    ["its value", { text: "The key", key: "api", value: KEY }],
    ["an alias", { text: "The key", aliases: [KEY] }],
    ["its subject", { text: "The key", subject: KEY }],
    ["its title", { text: "The key", kind: "episode", title: KEY }],
    ["its steps", { text: "The key", kind: "workflow", steps: [KEY] }],
    ["its template", { text: "The key", kind: "pattern", template: { key: KEY } }],
    ["its quotation", { text: "The key", source: { quote: KEY } }],
    ["its artifacts", { text: "The key", artifacts: [{ type: "file", ref: KEY }] }],
  ];
  it.each(secrets)("a secret in %s, unless `keepSecrets` is set", async (_where, input) => {
    const { memory, store } = await openMemory();
    await expect(memory.remember(input)).rejects.toBeInstanceOf(SecretRefusedError);
    expect(await store.memories.spaces()).toEqual([]);
    await expect(memory.remember({ ...input, keepSecrets: true })).resolves.toMatchObject({ outcome: "added" });
  });
});

describe("facts that are related", () => {
  it("do not end each other: one tool does not replace another", async () => {
    const { memory } = await openMemory();
    const { memory: first } = await memory.remember({ text: "We use ESLint." });
    const second = await memory.remember({ text: "We use Prettier." });
    expect(second.outcome).toBe("added");
    expect(second.related.map(({ id }) => id)).toEqual([first.id]);
    expect((await memory.get(first.id))?.validTo).toBeUndefined();
    expect(await memory.contradictions()).toEqual([]);
  });

  it("are returned, at most five, and the caller can replace them", async () => {
    const { memory, clock } = await openMemory();
    const names = ["red", "green", "blue", "yellow", "black", "white", "pink", "brown"];
    const texts = names.map(
      (name) => `The ${name} flag of the search service is for ${name} customers with ${name} cards`,
    );
    for (const text of texts) await memory.remember({ text });
    clock.pass(10);
    const text = "The search service reads its flags from a file";
    const { related } = await memory.remember({ text });
    expect(related).toHaveLength(5);
    const ids = related.slice(0, 2).map(({ id }) => id);
    const again = await memory.remember({ text, replaces: ids });
    expect(again.outcome).toBe("replaced");
    expect(again.related.some(({ id }) => ids.includes(id))).toBe(false);
    for (const id of ids) expect(await memory.get(id)).toMatchObject({ supersededBy: again.memory.id });
  });

  it("are merged if they are equivalent, keeping the more detailed text", async () => {
    const { memory } = await openMemory();
    const { memory: first } = await memory.remember({ text: "Max is seven." });
    const again = await memory.remember({ text: "My son Max is 7 years old." });
    expect(again).toMatchObject({
      outcome: "merged",
      memory: { id: first.id, levels: { full: "My son Max is 7 years old." } },
    });
  });
});

describe("validFrom", () => {
  it("accepts a date", async () => {
    const { memory } = await openMemory();
    const day = "2026-05-01";
    const { memory: saved } = await memory.remember({ text: "The lease began.", validFrom: day });
    expect(saved.validFrom).toBe(Date.parse(day));
    const other = await memory.update(saved.id, { validFrom: new Date(Date.parse(day) + 1_000) });
    expect(other.validFrom).toBe(Date.parse(day) + 1_000);
    await expect(memory.remember({ text: "Never.", validFrom: "soon" })).rejects.toBeInstanceOf(InvalidOptionError);
  });
});

describe("a configured model", () => {
  const answering = (relation: string) => {
    const prompts: string[] = [];
    const generate = async ({ prompt }: { readonly prompt: string }) => {
      prompts.push(prompt);
      return { text: `<think>hm</think>[{"stored": 1, "relation": "${relation}"}]` };
    };
    return { prompts, model: { modelId: "m", generate } };
  };
  const facts = ["My boss is Ruth.", "I report to Omar Diaz."] as const;

  it.each([
    ["supersedes", "replaced", 0],
    ["duplicate", "merged", 0],
    ["contradicts", "added", 1],
    ["compatible", "added", 0],
  ])("decides what the rules cannot: %s", async (relation, outcome, open) => {
    const { model, prompts } = answering(relation);
    const { memory } = await openMemory({ model });
    await memory.remember({ text: facts[0] });
    const said = await memory.remember({ text: facts[1] });
    expect(said.outcome).toBe(outcome);
    expect(await memory.contradictions({ status: "open" })).toHaveLength(open);
    expect(prompts).toHaveLength(1);
    await memory.consolidate();
    expect(prompts).toHaveLength(1);
  });

  it("can drop a conflict that the rules find", async () => {
    const { model } = answering("compatible");
    const { memory } = await openMemory({ model });
    await memory.remember({ text: "The build takes 5 minutes" });
    await memory.remember({ text: "The build takes 50 minutes" });
    expect(await memory.contradictions()).toEqual([]);
  });

  it("is not asked about replaced facts or facts with the same key", async () => {
    const { model, prompts } = answering("compatible");
    const { memory } = await openMemory({ model });
    const { memory: first } = await memory.remember({ text: facts[0] });
    expect((await memory.remember({ text: facts[1], replaces: [first.id] })).outcome).toBe("replaced");
    await memory.remember({ text: "PostgreSQL it is", key: "db", value: "PostgreSQL", subject: "shop" });
    prompts.length = 0;
    const changed = await memory.remember({ text: "MySQL it is", key: "db", value: "MySQL", subject: "shop" });
    expect(changed.outcome).toBe("replaced");
    expect(prompts.join()).not.toContain("PostgreSQL");
  });

  it("sees facts about the same kind of attribute that share no word with the new one", async () => {
    const { model, prompts } = answering("compatible");
    const { memory } = await openMemory({ model });
    await memory.remember({ text: "I have never owned a pet." });
    for (const place of ["hall", "office", "cellar", "studio", "garage", "attic", "kitchen", "shed", "lobby"]) {
      await memory.remember({ text: `The sofa in the ${place} was chewed up last week.` });
    }
    await memory.remember({ text: "My dog chewed up the sofa last week." });
    expect(prompts.at(-1)).toContain("never owned a pet");
  });
});
