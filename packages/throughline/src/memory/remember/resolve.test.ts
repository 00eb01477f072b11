import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import type { Memory, Resolution } from "../../ports/memory.ts";
import { createThroughline } from "../../throughline.ts";
import { type OpenMemory, openBeside, openMemory, START, textsOf } from "../open-memory.fixture.ts";

interface Dispute {
  readonly ada: OpenMemory;
  readonly bob: OpenMemory;
  readonly mysql: Memory;
  readonly postgres: Memory;
  readonly id: string;
}

const db = (value: string) => ({ subject: "project", key: "db", value });

/** Two users of one project who state different values of one key. */
async function dispute(): Promise<Dispute> {
  const ada = await openMemory({ userId: "ada", projectId: "shop" });
  const bob = await openBeside(ada, { userId: "bob", projectId: "shop" });
  const scope = "project-shared";
  const { memory: mysql } = await ada.memory.remember({ text: "We use MySQL", scope, ...db("MySQL") });
  ada.clock.pass(10);
  const said = await bob.memory.remember({ text: "We use PostgreSQL", scope, ...db("PostgreSQL") });
  expect(said.outcome).toBe("added");
  const [found] = await ada.memory.contradictions();
  return { ada, bob, mysql, postgres: said.memory, id: found?.id ?? "" };
}

describe("contradictions", () => {
  it("are opened between users; no user ends a fact of another", async () => {
    const { ada, bob, mysql, postgres, id } = await dispute();
    expect(await ada.memory.contradictions()).toEqual(await bob.memory.contradictions({ status: "open" }));
    expect(await ada.memory.contradictions()).toMatchObject([
      { id, memoryA: mysql.id, memoryB: postgres.id, status: "open", detectedAt: START + 10 },
    ]);
    expect((await textsOf(ada.memory, "Which database do we use?")).sort()).toEqual([
      "We use MySQL",
      "We use PostgreSQL",
    ]);
    expect(await ada.memory.contradictions({ status: "resolved" })).toEqual([]);
  });

  it("are opened for one user if the replacement is unclear", async () => {
    const { memory } = await openMemory();
    await memory.remember({ text: "The build takes 5 minutes" });
    await memory.remember({ text: "The build takes 50 minutes" });
    expect(await memory.contradictions({ status: "open" })).toHaveLength(1);
    await memory.remember({ text: "The build runs on every push" });
    expect(await memory.contradictions()).toHaveLength(1);
  });

  it("are reopened after a change that still differs", async () => {
    const { ada, mysql, postgres } = await dispute();
    const next = await ada.memory.remember({ text: "We use SQLite", scope: "project-shared", ...db("SQLite") });
    expect(next).toMatchObject({ outcome: "replaced", updatesFactId: mysql.id });
    const pairs = (await ada.memory.contradictions()).map(({ memoryA, memoryB }) => [memoryA, memoryB]);
    expect(pairs).toContainEqual([postgres.id, next.memory.id]);
    expect(pairs).toHaveLength(2);
  });

  it("end by agreement: the agreeing user's opposite fact ends", async () => {
    const { ada, mysql, postgres } = await dispute();
    const agreed = await ada.memory.remember({
      text: "We use PostgreSQL",
      scope: "project-shared",
      ...db("PostgreSQL"),
    });
    expect(agreed).toMatchObject({ outcome: "merged", memory: { id: postgres.id, mentions: 2, owner: "bob" } });
    expect(await ada.memory.get(mysql.id)).toMatchObject({ validTo: START + 10, supersededBy: postgres.id });
    expect(await textsOf(ada.memory, "Which database do we use?")).toEqual(["We use PostgreSQL"]);
  });
});

describe("a contradiction is resolved", () => {
  it.each<[Resolution, string[]]>([
    ["a_wins", ["We use MySQL"]],
    ["b_wins", ["We use PostgreSQL"]],
    ["both_valid", ["We use MySQL", "We use PostgreSQL"]],
    ["merged", ["MySQL for the shop, PostgreSQL for the blog"]],
  ])("as %s", async (resolution, left) => {
    const { ada, mysql, postgres, id } = await dispute();
    ada.clock.pass(10);
    const text = "MySQL for the shop, PostgreSQL for the blog";
    const note = "Migration completed";
    const settled = await ada.memory.resolve(id, { resolution, note, ...(resolution === "merged" && { text }) });
    expect(settled).toMatchObject({ id, status: "resolved", resolution, note, resolvedAt: START + 20 });
    expect(await ada.memory.contradictions({ status: "open" })).toEqual([]);
    expect((await textsOf(ada.memory, "MySQL PostgreSQL")).sort()).toEqual(left);
    for (const known of [mysql, postgres]) {
      const now = await ada.memory.get(known.id);
      const holds = resolution === "both_valid" || left.includes(known.levels.full);
      expect(now?.validTo).toBe(holds ? undefined : START + 20);
      expect(now?.archivedAt).toBeUndefined();
    }
    expect((await textsOf(ada.memory, "MySQL PostgreSQL", { asOf: START + 15 })).sort()).toEqual([
      "We use MySQL",
      "We use PostgreSQL",
    ]);
  });

  it("with both texts if a merge has no text", async () => {
    const { ada, id } = await dispute();
    await ada.memory.resolve(id, { resolution: "merged" });
    expect(await textsOf(ada.memory, "MySQL PostgreSQL")).toEqual(["We use MySQL. We use PostgreSQL"]);
  });

  it("once, and can be undone", async () => {
    const { ada, mysql, postgres, id } = await dispute();
    const open = await ada.memory.contradictions();
    await ada.memory.resolve(id, { resolution: "b_wins" });
    await expect(ada.memory.resolve(id, { resolution: "a_wins" })).rejects.toBeInstanceOf(InvalidOptionError);
    await ada.memory.undo((await ada.memory.journal({ limit: 1 }))[0]?.id ?? "");
    expect(await ada.memory.contradictions()).toEqual(open);
    expect([await ada.memory.get(mysql.id), await ada.memory.get(postgres.id)]).toEqual([mysql, postgres]);
  });

  it("and the losing fact loses its pin", async () => {
    const { memory } = await openMemory();
    const first = { text: "The build takes 5 minutes", category: "project", pinned: true } as const;
    const { memory: known } = await memory.remember(first);
    await memory.remember({ text: "The build takes 50 minutes", category: "project" });
    const [found] = await memory.contradictions();
    await memory.resolve(found?.id ?? "", { resolution: "b_wins" });
    expect(await memory.get(known.id)).toMatchObject({ pinned: false, validTo: START });
  });

  it("not with an unknown outcome, an empty text, a secret, or by other users", async () => {
    const { ada, id } = await dispute();
    const eve = await openBeside(ada, { userId: "eve" });
    const outcome = "nobody_wins" as Resolution;
    await expect(ada.memory.resolve(id, { resolution: outcome })).rejects.toBeInstanceOf(InvalidOptionError);
    await expect(ada.memory.resolve(id, { resolution: "merged", text: " " })).rejects.toBeInstanceOf(
      InvalidOptionError,
    );
    const secret = "password: hunter2hunter2";
    await expect(ada.memory.resolve(id, { resolution: "merged", text: secret })).rejects.toMatchObject({
      code: "secret-refused",
    });
    await expect(eve.memory.resolve(id, { resolution: "a_wins" })).rejects.toBeInstanceOf(NotFoundError);
    await expect(ada.memory.resolve("con_none", { resolution: "a_wins" })).rejects.toBeInstanceOf(NotFoundError);
    expect(await ada.memory.contradictions({ status: "open" })).toHaveLength(1);
  });
});

describe("a contradiction with an ended side", () => {
  it("is resolved for the other side, and reopened by an undo", async () => {
    const { memory } = await createThroughline();
    const first = await memory.remember({ text: "The build takes ten minutes" });
    await memory.remember({ text: "The build takes 25 minutes" });
    const [open] = await memory.contradictions({ status: "open" });
    expect(open).toMatchObject({ memoryA: first.memory.id });
    await memory.forget(first.memory.id);
    expect(await memory.contradictions()).toMatchObject([{ status: "resolved", resolution: "b_wins" }]);
    const [entry] = await memory.journal();
    await memory.undo(entry?.id ?? "");
    expect(await memory.contradictions()).toEqual([open]);
  });
});
