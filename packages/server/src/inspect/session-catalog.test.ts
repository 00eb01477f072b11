import { expect, test } from "vitest";
import { SessionCatalog } from "./session-catalog.ts";
import type { SessionUnit } from "./session-units.ts";

/** A catalog, and units whose reading is recorded and can be held. */
function catalogOf() {
  const read: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const unit = (name: string, changedAt: number): SessionUnit => ({
    key: name,
    cacheKey: name,
    version: `${changedAt}`,
    agent: "claude-code",
    changedAt,
    load: async () => {
      read.push(`${name} ${changedAt}`);
      await released;
      return [];
    },
  });
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  return { catalog: new SessionCatalog({ logger, stopping: new AbortController().signal }), read, release, unit };
}

test("a session that starts while others are read comes next", async () => {
  const { catalog, read, release, unit } = catalogOf();
  const known = [unit("old", 1), unit("older", 0), unit("last", 2)];
  catalog.list(known);
  await expect.poll(() => read).toEqual(["last 2"]);
  catalog.list([...known, unit("live", 3)]);
  release();
  await catalog.settled();
  expect(read).toEqual(["last 2", "live 3", "old 1", "older 0"]);
});

test("a session is read once per change, however often it is listed", async () => {
  const { catalog, read, release, unit } = catalogOf();
  catalog.list([unit("one", 1)]);
  await expect.poll(() => read).toEqual(["one 1"]);
  catalog.list([unit("one", 1)]);
  release();
  await catalog.settled();
  expect(catalog.list([unit("one", 1)]).waiting).toBe(0);
  catalog.list([unit("one", 2)]);
  await catalog.settled();
  expect(read).toEqual(["one 1", "one 2"]);
});
