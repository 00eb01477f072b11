export { ingestTurns } from "./ingest/ingest-turns.ts";
export { purgeMemories, purgeSessionMemories } from "./purge-memory.ts";
export { forgetMemory, learnNames, trackUse, updateMemory } from "./remember/change-memory.ts";
export { remember } from "./remember/remember.ts";
export { resolveConflict } from "./remember/resolve.ts";
