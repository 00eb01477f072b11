import { expect, it } from "vitest";
import { historyOnly } from "../../../throughline/src/context/predict/predictor.fixture.ts";
import type { StoredJob } from "../../../throughline/src/ports/server-store.ts";
import { sqliteStore } from "../../../throughline/src/store/sqlite/sqlite.ts";
import { createThroughline } from "../../../throughline/src/throughline.ts";
import { JOB_KINDS } from "./job-kinds.ts";

it("consolidates every night, even if git cannot read a project's history", async () => {
  const store = sqliteStore(":memory:");
  const workspace = {
    ...historyOnly([]),
    history: () => {
      throw new Error("bad object HEAD");
    },
  };
  const throughline = await createThroughline({ store, projectId: "shop", workspace });
  const warnings: string[] = [];
  const logger = { info: () => undefined, warn: (text: string) => warnings.push(text) };
  const job = { id: "j1", kind: "consolidate", owner: "local", projectId: "shop" } as unknown as StoredJob;
  const ports = { store, clock: { now: () => 0 }, logger, embedderName: "words", throughline };
  const following = await JOB_KINDS.consolidate?.(job, ports, new AbortController().signal);
  expect(await following?.()).toMatchObject([{ kind: "consolidate", projectId: "shop" }]);
  expect(warnings).toEqual([expect.stringContaining("bad object HEAD")]);
  await store.close();
});
