export { listMemories } from "./list-memories.ts";
export { listProjects } from "./list-projects.ts";
export { listContradictions } from "./remember/list-contradictions.ts";
export { findMemories, findMemory } from "./space/find-memory.ts";
