/**
 * React hooks and unstyled components for a chat with a memory panel.
 *
 * @module
 */
export type { CompactionStatus } from "../chat/compact/compaction-tracker.ts";
export {
  type ContextUsageOptions,
  type ContextUsageState,
  type MemoryExtraction,
  type MemoryExtractionOptions,
  type ReceiptSource,
  useCompactionStatus,
  useContextUsage,
  useMemoryExtraction,
  useMemoryFacts,
} from "./hooks.ts";
export {
  ClearingBar,
  type ClearingBarProps,
  ClearMemory,
  type ClearMemoryProps,
  RemovalNotice,
  type RemovalNoticeProps,
} from "./parts/clear-memory.tsx";
export {
  ConfidenceBar,
  type ConfidenceBarProps,
  FactCard,
  type FactCardActions,
  type FactCardClassNames,
  type FactCardLook,
  type FactCardProps,
  SavedMark,
  type SavedMarkProps,
} from "./parts/fact-card.tsx";
export { type AddedFact, FactComposer, type FactComposerProps } from "./parts/fact-composer.tsx";
export {
  FactEditor,
  type FactEditorActions,
  type FactEditorClassNames,
  type FactEditorProps,
} from "./parts/fact-editor.tsx";
export type { FactListHandle } from "./parts/fact-list.tsx";
export {
  extendTo,
  type FactCommand,
  FactList,
  type FactListProps,
  type FactSelection,
  keepShown,
  NOTHING_SELECTED,
  toggleFact,
} from "./parts/fact-list.tsx";
export { countMemories, explainProblem, showFact } from "./parts/format-memories.ts";
export { MemoryPill, type MemoryPillProps } from "./parts/memory-pill.tsx";
export { type EditMode, explainMeanwhile, keepOpenEdits, type OpenEdit, OpenEdits } from "./parts/open-edits.ts";
export type { MarkedText } from "./parts/remember-selection.tsx";
export { RememberSelection, type RememberSelectionProps } from "./parts/remember-selection.tsx";
