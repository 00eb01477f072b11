export { forgetMemory, updateMemory } from "./change-memory.ts";
export { ingestTurns } from "./ingest-turns.ts";
export { INGEST_RULES, PATCH_RULES, REMEMBER_RULES } from "./memory-option-rules.ts";
export { purgeMemories, purgeSessionMemories } from "./purge-memory.ts";
export { remember } from "./remember.ts";
export { resolveConflict } from "./resolve.ts";
export { learnNames, trackUse } from "./track-use.ts";
