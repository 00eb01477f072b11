export { renderMemories } from "./recall/recall-block.ts";
export { findRelevant, recallMemories } from "./recall/recall-memories.ts";
export { searchSpaces } from "./search/search-spaces.ts";
