import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { SecretRefusedError } from "../../errors/memory-errors.ts";
import { stableId } from "../ids.ts";
import type { RememberInput } from "../memory-api.ts";
import { openBeside, openMemory, START } from "../open-memory.fixture.ts";

const id = stableId(["episode", "s1"], START);
const episode = (text: string, more: Partial<RememberInput> = {}): RememberInput => ({
  id,
  kind: "episode",
  text,
  source: { sessionId: "s1", at: START },
  ...more,
});

describe("a memory that comes with its id", () => {
  it("is added once and overwritten from then on, with its history", async () => {
    const { memory, clock } = await openMemory();
    const { outcome } = await memory.remember(episode("Began to repair the cart."));
    expect(outcome).toBe("added");
    await memory.cite(id);
    clock.pass(1_000);
    const artifacts = [{ type: "commit", ref: "1a2b3c4" }] as const;
    const retold = await memory.remember(episode("Repaired the cart.", { artifacts, source: { at: START + 500 } }));
    expect(retold).toMatchObject({
      outcome: "merged",
      memory: {
        id,
        mentions: 1,
        createdAt: START,
        lastSeenAt: START + 500,
        artifacts,
        levels: { full: "Repaired the cart." },
      },
    });
    expect((await memory.get(id))?.usage.cited).toBe(1);
    expect(await memory.list({ all: true })).toHaveLength(1);
    expect((await memory.recall("Who repaired the cart?", { cut: "none" })).map((hit) => hit.id)).toEqual([id]);
  });

  it("changes nothing if the input is the same, and can be undone", async () => {
    const { memory } = await openMemory();
    await memory.remember(episode("Began to repair the cart."));
    await memory.remember(episode("Repaired the cart."));
    await memory.remember(episode("Repaired the cart."));
    const [last, ...before] = await memory.journal();
    expect(before).toHaveLength(1);
    await memory.undo(last?.id ?? "");
    expect((await memory.get(id))?.levels.full).toBe("Began to repair the cart.");
  });

  it("stays archived after it was archived", async () => {
    const { memory } = await openMemory();
    await memory.remember(episode("Began to repair the cart."));
    await memory.forget(id);
    const { memory: left } = await memory.remember(episode("Repaired the cart."));
    expect(left).toMatchObject({ levels: { full: "Began to repair the cart." } });
    expect(left.archivedAt).toBeDefined();
  });

  it("uses the given texts for its shorter levels, if they are shorter", async () => {
    const { memory } = await openMemory();
    const levels = { summary: "Cart repaired", compressed: "cart_fix", index: "cart" };
    const { memory: told } = await memory.remember(episode("Repaired the cart, which had lost its items.", { levels }));
    expect(told.levels).toEqual({ full: "Repaired the cart, which had lost its items.", ...levels });
    const long = { summary: "very ".repeat(50) };
    const { memory: bounded } = await memory.remember(episode("Repaired the cart.", { levels: long }));
    expect(bounded.levels.summary).toBe("Repaired the cart.");
  });

  it("is not overwritten by another user, in another project, or as another kind", async () => {
    const open = await openMemory({ userId: "ada", projectId: "shop" });
    await open.memory.remember(episode("Repaired the cart."));
    await expect(open.memory.remember(episode("A pattern", { kind: "pattern" }))).rejects.toThrow(InvalidOptionError);
    const elsewhere = await openBeside(open, { userId: "ada", projectId: "farm" });
    await expect(elsewhere.memory.remember(episode("Repaired the barn."))).rejects.toThrow(InvalidOptionError);
    const ben = await openBeside(open, { userId: "ben", projectId: "shop" });
    expect((await ben.memory.remember(episode("Repaired it again."))).outcome).toBe("added");
    expect((await open.memory.get(id))?.levels.full).toBe("Repaired the cart.");
  });

  const refused: [what: string, input: RememberInput][] = [
    ["a fact", { id, text: "User likes tea" }],
    ["an id of another form", episode("x", { id: "my-id" })],
    ["an id that is none", episode("x", { id: 7 as never })],
  ];
  it.each(refused)("is refused for %s", async (_, input) => {
    const { memory } = await openMemory();
    await expect(memory.remember(input)).rejects.toThrow(InvalidOptionError);
  });

  it("is refused if a level holds a secret", async () => {
    const { memory } = await openMemory();
    const summary = `key sk-ant-${"Ab3dEf6hIj9k".repeat(3)}`;
    await expect(memory.remember(episode("Rotated the key.", { levels: { summary } }))).rejects.toThrow(
      SecretRefusedError,
    );
  });
});

describe("a stable id", () => {
  it("is the same for the same name and time, and sorts by time", () => {
    expect(stableId(["a", "b"], 5)).toBe(stableId(["a", "b"], 5));
    expect(stableId(["a", "b"], 5)).not.toBe(stableId(["ab"], 5));
    expect(stableId(["z"], START) < stableId(["a"], START + 1)).toBe(true);
  });
});
