export { renderMemoriesMarkdown } from "../exchange/render-markdown.ts";
export { revertImport } from "../imports/revert-import.ts";
export { consolidateSpaces } from "./consolidate-spaces.ts";
export { exportMemories } from "./export-memories.ts";
export { importMemories } from "./import-memories.ts";
export { CONSOLIDATE_RULES } from "./memory-option-rules.ts";
export { reembed } from "./reembed.ts";
export { shareFacts } from "./share-facts.ts";
export { readJournal, undoEntry } from "./undo-entry.ts";
