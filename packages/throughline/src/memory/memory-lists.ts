export { listMemories, listProjects } from "./list-memories.ts";
export { listContradictions } from "./remember/list-contradictions.ts";
export { findMemories, findMemory } from "./space/find-memory.ts";
