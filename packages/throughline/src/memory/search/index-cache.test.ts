import { afterEach, expect, it } from "vitest";
import { inProcessStore } from "../../store/in-process.ts";
import { createThroughline } from "../../throughline.ts";
import { indexCache, indexCacheStats } from "./index-cache.ts";

const clock = { now: () => Date.UTC(2026, 0, 1) };
const { maxBytes } = indexCacheStats();

afterEach(() => indexCache.limit(maxBytes));

it("members of a project share its index", async () => {
  const store = inProcessStore(clock);
  const member = (userId: string) => createThroughline({ store, clock, userId, projectId: "p" });
  const [ann, ben] = [await member("ann"), await member("ben")];
  await ann.memory.remember({ text: "We deploy on Fridays.", scope: "project-shared" });
  await ann.memory.recall("deploy");
  const before = indexCacheStats();
  expect(await ben.memory.recall("When do we deploy?")).toHaveLength(1);
  const after = indexCacheStats();
  // Ben's own space is new; the indexes of the project and of the system are in memory.
  expect(after.misses - before.misses).toBe(1);
  expect(after.hits - before.hits).toBe(2);
});

it("maxIndexBytes limits the memory of all indexes; an evicted index is read again", async () => {
  const store = inProcessStore(clock);
  const users = await Promise.all(
    Array.from({ length: 6 }, (_, at) => createThroughline({ store, clock, userId: `u${at}`, maxIndexBytes: 60_000 })),
  );
  for (const [at, user] of users.entries()) await user.memory.remember({ text: `My dog is called Rex${at}.` });
  const { bytes, evictions } = indexCacheStats();
  expect(bytes).toBeLessThanOrEqual(60_000);
  expect(evictions).toBeGreaterThan(0);
  for (const [at, user] of users.entries()) {
    expect((await user.memory.recall("dog"))[0]?.text).toContain(`Rex${at}`);
  }
});
