import { dexieStore } from "../../../src/store/dexie/dexie.ts";
import { liveMemories } from "../../live-memories.ts";
import { liveSegments } from "../../live-segments.ts";
import type { LifeApi } from "../page-api.ts";

const testPage: LifeApi = {
  live: (database) => liveMemories(dexieStore({ name: database })),
  segments: (database) => liveSegments(() => dexieStore({ name: database })),
};

Object.assign(globalThis, { testPage });
