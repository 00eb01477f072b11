/**
 * React hooks and unstyled components for a chat with a memory panel.
 *
 * @module
 */
export type { CompactionStatus } from "../chat/compact/compaction-tracker.ts";
export { useCompactionStatus } from "./hooks/use-compaction-status.ts";
export {
  type ContextUsageOptions,
  type ContextUsageState,
  type ReceiptSource,
  useContextUsage,
} from "./hooks/use-context-usage.ts";
export {
  type MemoryExtraction,
  type MemoryExtractionOptions,
  useMemoryExtraction,
} from "./hooks/use-memory-extraction.ts";
export { useMemoryFacts } from "./hooks/use-memory-facts.ts";
export { ClearingBar, type ClearingBarProps, ClearMemory, type ClearMemoryProps } from "./parts/clear-memory.tsx";
export { ConfidenceBar, type ConfidenceBarProps } from "./parts/confidence-bar.tsx";
export {
  FactCard,
  type FactCardActions,
  type FactCardClassNames,
  type FactCardLook,
  type FactCardProps,
} from "./parts/fact-card.tsx";
export { type AddedFact, FactComposer, type FactComposerProps } from "./parts/fact-composer.tsx";
export {
  FactEditor,
  type FactEditorActions,
  type FactEditorClassNames,
  type FactEditorProps,
} from "./parts/fact-editor.tsx";
export type { FactListHandle } from "./parts/fact-list.tsx";
export { type FactCommand, FactList, type FactListProps } from "./parts/fact-list.tsx";
export { countMemories, explainProblem, showFact } from "./parts/format-memories.ts";
export { MemoryPill, type MemoryPillProps } from "./parts/memory-pill.tsx";
export { type EditMode, explainMeanwhile, keepOpenEdits, type OpenEdit, OpenEdits } from "./parts/open-edits.ts";
export type { MarkedText } from "./parts/remember-selection.tsx";
export { RememberSelection, type RememberSelectionProps } from "./parts/remember-selection.tsx";
export { RemovalNotice, type RemovalNoticeProps } from "./parts/removal-notice.tsx";
export { SavedMark, type SavedMarkProps } from "./parts/saved-mark.tsx";
export { extendTo, type FactSelection, keepShown, NOTHING_SELECTED, toggleFact } from "./parts/select-facts.ts";
