export { consolidateSpaces } from "./consolidate/consolidate-spaces.ts";
export { shareFacts } from "./consolidate/share-facts.ts";
export { exportMemories } from "./exchange/export-memories.ts";
export { importMemories } from "./exchange/import-memories.ts";
export { renderMemoriesMarkdown } from "./exchange/render-markdown.ts";
export { revertImport } from "./imports/revert-import.ts";
export { readJournal, undoEntry } from "./journal/undo-entry.ts";
export { CONSOLIDATE_RULES } from "./memory-option-rules.ts";
export { reembed } from "./space/reembed.ts";
