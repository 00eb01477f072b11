export { consolidateSpaces } from "./consolidate/consolidate-spaces.ts";
export { shareFacts } from "./consolidate/share-facts.ts";
export { reembed } from "./space/reembed.ts";
export { exportMemories } from "./transfer/export-memories.ts";
export { importMemories } from "./transfer/import-memories.ts";
export { renderMemoriesMarkdown } from "./transfer/render-markdown.ts";
export { revertImport } from "./undo/revert-import.ts";
export { readJournal, undoEntry } from "./undo/undo-entry.ts";
