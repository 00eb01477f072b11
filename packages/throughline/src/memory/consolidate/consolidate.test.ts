import { describe, expect, it } from "vitest";
import { StoreError } from "../../errors/store-errors.ts";
import { DAY } from "../../internal/time.ts";
import type { Model, ModelRequest } from "../../ports/model.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { createThroughline } from "../../throughline.ts";

const EPISODE =
  "Debugged the login for a day. The root cause was that the check of the token's expiry used the wrong timezone. Fixed by normalizing to UTC, and added a regression test.";

async function open(answer?: (request: ModelRequest) => string) {
  let now = Date.UTC(2026, 0, 1);
  const model: Model = { modelId: "gpt-4o", generate: async (request) => ({ text: answer?.(request) ?? "" }) };
  const store = inProcessStore({ now: () => now });
  const { memory } = await createThroughline({ store, clock: { now: () => now }, ...(answer && { model }) });
  const pass = (days: number): void => {
    now += days * DAY;
  };
  return { memory, store, pass };
}

describe("consolidation", () => {
  it("can be previewed, is idempotent, and is undone as a whole", async () => {
    const { memory, pass } = await open();
    await memory.remember({ text: "User lives in Lisbon" });
    await memory.remember({ text: "User lives in Porto" });
    await memory.remember({ text: EPISODE, kind: "episode", title: "Login fix" });
    pass(8);
    const before = await memory.export();
    const { changes, ...planned } = await memory.consolidate({ dryRun: true });
    expect(planned).toMatchObject({ compressed: 1, forgotten: 1 });
    expect(changes?.map(({ action, reason }) => [action, reason])).toEqual([
      ["archive", "superseded"],
      ["shorten", "summary"],
    ]);
    expect((await memory.export()).memories).toEqual(before.memories);
    const { journalId = "", ...done } = await memory.consolidate();
    expect(done).toEqual(planned);
    expect(await memory.consolidate()).toEqual({
      deduped: 0,
      compressed: 0,
      adjusted: 0,
      contradictionsFound: 0,
      forgotten: 0,
      linked: 0,
    });
    const [hit] = await memory.recall("What was wrong with the login?");
    expect(hit?.text).toBe(hit?.memory?.levels.summary);
    await memory.undo(journalId);
    expect((await memory.export()).memories.map(withoutUsage)).toEqual(before.memories.map(withoutUsage));
  });

  it("uses a model's text for episodes, if their sources support it", async () => {
    const summary = "Login fix: expiry used the wrong timezone, now UTC; regression test added.";
    const { memory, pass } = await open(() =>
      JSON.stringify({ summary, compressed: "login: tz→utc, +test", index: "login_fix" }),
    );
    const { memory: episode } = await memory.remember({ text: EPISODE, kind: "episode" });
    pass(8);
    await memory.consolidate();
    expect(await memory.get(episode.id)).toMatchObject({ servedLevel: "summary", levels: { full: EPISODE, summary } });
  });

  it("keeps the text of the rules if the model output is unsupported", async () => {
    const { memory, pass } = await open(() => "I'd rather not.");
    const { memory: episode } = await memory.remember({ text: EPISODE, kind: "episode" });
    pass(8);
    await memory.consolidate();
    expect(await memory.get(episode.id)).toMatchObject({ servedLevel: "summary", levels: episode.levels });
  });

  it("opens only contradictions that a model confirms, and asks about a pair once", async () => {
    const asked: string[] = [];
    const { memory, store, pass } = await open(({ prompt }) => {
      asked.push(prompt);
      return "no";
    });
    await memory.remember({ text: "The build takes ten minutes" });
    // Written directly to the store, without the search for contradictions.
    const [contradiction] = await memory.contradictions();
    expect(contradiction).toBeUndefined();
    const { memories } = await memory.export();
    const [first] = memories;
    if (first === undefined) throw new Error("There is no memory.");
    const text = "The build takes 25 minutes";
    const levels = { full: text, summary: text, compressed: text, index: "build" };
    await memory.import({
      ...(await memory.export()),
      memories: [{ ...first, id: "mem_other", levels }],
      journal: [],
    });
    expect(asked).toEqual([]);
    expect(await memory.consolidate()).toMatchObject({ contradictionsFound: 0 });
    expect(asked).toHaveLength(1);
    pass(1);
    await memory.update("mem_other", { aliases: ["slow build"] });
    await memory.consolidate();
    expect(asked).toHaveLength(1);
    expect(await store.memories.list("user:local", "contradictions")).toEqual([]);
  });

  it("throws `busy` while another process runs it, but allows a dry run", async () => {
    const { memory, store } = await open();
    await store.memories.lease("user:local", "consolidate", "somebody else", 60_000);
    await expect(memory.consolidate()).rejects.toThrow(StoreError);
    await expect(memory.consolidate({ dryRun: true })).resolves.toMatchObject({ deduped: 0 });
  });

  it("never ends a project fact because of age or missing use", async () => {
    const { store, pass } = await open();
    let now = Date.UTC(2026, 0, 1);
    const { memory } = await createThroughline({ store, clock: { now: () => now }, projectId: "/home/ada/shop" });
    const facts = ["The shop listens on port 4100.", "Releases are cut from the branch stable."];
    for (const text of facts) await memory.remember({ text, category: "project" });
    for (let year = 0; year < 3; year += 1) {
      now += 400 * DAY;
      pass(400);
      await memory.consolidate();
    }
    const hits = await memory.list({ kinds: ["fact"] });
    expect(hits.map(({ levels }) => levels.full).sort()).toEqual([...facts].sort());
    expect(hits.every(({ validTo, archivedAt }) => validTo === undefined && archivedAt === undefined)).toBe(true);
  });
});

function withoutUsage({ usage: _, ...memory }: { readonly usage: unknown }): object {
  return memory;
}
