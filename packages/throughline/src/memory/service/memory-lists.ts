export { findMemories, findMemory } from "./find-memory.ts";
export { listContradictions } from "./list-contradictions.ts";
export { listMemories } from "./list-memories.ts";
export { listProjects } from "./list-projects.ts";
