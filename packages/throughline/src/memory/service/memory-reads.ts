export { renderMemories } from "./memory-block.ts";
export { findRelevant, recallMemories } from "./recall-memories.ts";
export { searchSpaces } from "./search-spaces.ts";
