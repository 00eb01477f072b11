import type { ReactNode, Ref } from "react";
import { countMemories } from "./words.ts";

export interface MemoryPillProps {
  /** Left out while it is not known yet. */
  readonly count?: number | undefined;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  /** For assistive technology, e.g. `Control+Shift+M`. */
  readonly keyShortcuts?: string | undefined;
  readonly title?: string | undefined;
  readonly className?: string | undefined;
  /** What stands behind the count; an arrow where nothing is given. */
  readonly icon?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** The button that opens the memories, with their count: "12 memories ↗". */
export function MemoryPill({
  count,
  isOpen,
  onOpen,
  keyShortcuts,
  title,
  className,
  icon,
  ref,
}: MemoryPillProps): ReactNode {
  return (
    <button
      ref={ref}
      type="button"
      data-memory-pill=""
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-keyshortcuts={keyShortcuts}
      title={title}
      className={className}
      onClick={onOpen}
    >
      {count === undefined ? "Memories" : countMemories(count)} <span aria-hidden="true">{icon ?? "↗"}</span>
    </button>
  );
}
