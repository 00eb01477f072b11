export { findMemories, findMemory } from "./find-memory.ts";
export { listMemories } from "./list-memories.ts";
export { renderMemories } from "./memory-block.ts";
export { findRelevant, recallMemories } from "./recall-memories.ts";
export { listContradictions } from "./resolve.ts";
export { SearchSpaces } from "./search-spaces.ts";
