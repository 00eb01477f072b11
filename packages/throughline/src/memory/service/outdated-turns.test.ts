import { describe, expect, it } from "vitest";
import { createThroughline } from "../../throughline.ts";

const DAY = 24 * 60 * 60 * 1_000;
const MONDAY = Date.UTC(2026, 4, 4);

async function moved() {
  const { memory } = await createThroughline({ clock: { now: () => MONDAY + 9 * DAY } });
  await memory.ingest({
    sessionId: "s",
    messages: [
      { id: "old", role: "user", text: "The launch review is on Tuesday at 3pm.", at: MONDAY },
      { id: "new", role: "user", text: "The launch review has been moved to Thursday at 10am.", at: MONDAY + DAY },
    ],
  });
  const ask = async (asOf?: number) => {
    const hits = await memory.recall("When is the launch review?", { cut: "none", ...(asOf && { asOf }) });
    return hits.map(({ source }) => source.messageId);
  };
  return { memory, ask };
}

describe("a turn that a later one outdates", () => {
  it("is not given out any more, even where nothing is cut", async () => {
    const { ask } = await moved();
    expect(await ask()).toEqual(["new"]);
  });

  it("was given out before", async () => {
    const { ask } = await moved();
    expect(await ask(MONDAY + DAY / 2)).toEqual(["old"]);
  });

  it("is kept as it was said", async () => {
    const { memory } = await moved();
    const { turns } = await memory.export();
    expect(turns[0]).toMatchObject({ text: "The launch review is on Tuesday at 3pm.", staleSince: MONDAY + DAY });
  });
});
