export { findMemories, findMemory, listContradictions, listMemories, listProjects } from "./list-memories.ts";
