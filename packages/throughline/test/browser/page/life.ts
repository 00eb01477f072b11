import { dexieStore } from "../../../src/store/dexie/dexie.ts";
import { liveMemories } from "../../live-memories.ts";
import type { LifeApi } from "../page-api.ts";

const testPage: LifeApi = { live: (database) => liveMemories(dexieStore({ name: database })) };

Object.assign(globalThis, { testPage });
