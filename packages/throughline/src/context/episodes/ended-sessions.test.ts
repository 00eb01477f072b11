import { describe, expect, it } from "vitest";
import { assistant, user } from "../../ledger/session.arbitrary.ts";
import type { Store } from "../../ports/store.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { createThroughline } from "../../throughline.ts";
import { edited, inSession, ran } from "./session.arbitrary.ts";

/** A store that outlives who closes it. */
function lasting(): Store {
  return { ...inProcessStore(), close: async () => undefined };
}

const WORK = inSession("s1", [
  user("The cart forgets its items after a reload of the page."),
  edited("/app/src/cart.ts"),
  ran("pnpm test"),
  assistant("The cart keeps its items in the storage of the browser now."),
]);

async function work(store: Store, remember: boolean, sessionId = "s1") {
  const tl = await createThroughline({ store, projectId: "shop" });
  await tl.session(sessionId, { remember }).append(WORK);
  expect(await tl.memory.list({ kinds: ["episode"] })).toEqual([]);
  await tl.close();
  return createThroughline({ store, projectId: "shop" });
}

describe("sessions that end with the process", () => {
  it("save one episode each if memories are on", async () => {
    const after = await work(lasting(), true);
    expect(await after.memory.list({ kinds: ["episode"] })).toMatchObject([
      { source: { sessionId: "s1" }, projectId: "shop" },
    ]);
    const silent = await work(lasting(), false);
    expect(await silent.memory.list()).toEqual([]);
  });

  it("can continue later and update the same episode", async () => {
    const store = lasting();
    const again = await work(store, true);
    await again
      .session("s1", { remember: true })
      .append(
        inSession("s1", [
          user("Now commit the cart, please."),
          ran("git commit -am x", "[main 1a2b3c4] fix(cart): keep items"),
        ]).map((one) => ({ ...one, id: `later-${one.id}` })),
      );
    await again.close();
    const { memory } = await createThroughline({ store, projectId: "shop" });
    const episodes = await memory.list({ kinds: ["episode"], all: true });
    expect(episodes).toHaveLength(1);
    expect(episodes[0]?.artifacts).toContainEqual({ type: "commit", ref: "1a2b3c4" });
  });

  it("leave nothing after a purge", async () => {
    const store = lasting();
    const after = await work(store, true);
    expect(await store.documents.list("user:local", "session/")).toHaveLength(1);
    await after.purgeSession("s1");
    expect(await after.memory.list({ all: true })).toEqual([]);
    expect(await store.documents.list("user:local", "session/")).toEqual([]);
  });

  it("are closed even if the episode cannot be saved", async () => {
    const warnings: string[] = [];
    const store = lasting();
    const broken = {
      ...store,
      documents: { ...store.documents, get: () => Promise.reject(new Error("the disk is gone")) },
    };
    const tl = await createThroughline({
      store: broken,
      logger: { info: () => undefined, warn: (text) => warnings.push(text) },
    });
    await tl.session("s1", { remember: true }).append(WORK);
    await tl.close();
    expect(warnings).toEqual(["Could not save the episodes of the last sessions: the disk is gone"]);
  });
});
