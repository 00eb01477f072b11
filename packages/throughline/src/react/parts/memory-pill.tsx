import type { ReactNode, Ref } from "react";
import { countMemories } from "./format-memories.ts";

/** Props of `MemoryPill`. */
export interface MemoryPillProps {
  /** Number of memories. Without it, the label is "Memories". */
  readonly count?: number | undefined;
  /** Text instead of the number, such as "Memory off". */
  readonly label?: string | undefined;
  /** True if the memory panel is open. */
  readonly isOpen: boolean;
  /** Called when the button is clicked. */
  readonly onOpen: () => void;
  /** Keyboard shortcut for assistive technology, such as `Control+Shift+M`. You handle the keys. */
  readonly keyShortcuts?: string | undefined;
  /** Tooltip. */
  readonly title?: string | undefined;
  /** Class name of the button. */
  readonly className?: string | undefined;
  /** Icon after the count. Default: an arrow. */
  readonly icon?: ReactNode;
  /** Ref of the button. */
  readonly ref?: Ref<HTMLButtonElement>;
}

/**
 * Button that opens the memory panel and shows the number of memories: "12 memories ↗".
 *
 * @param props Count, state of the panel, callback and look.
 *
 * @example
 * const pill = <MemoryPill count={facts.length} isOpen={false} onOpen={() => console.log("open")} />;
 */
export function MemoryPill({
  count,
  label,
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
      {label ?? <Label count={count} />} <span aria-hidden="true">{icon ?? "↗"}</span>
    </button>
  );
}

/** Two elements, so that a narrow page can show the number alone. */
function Label({ count }: Pick<MemoryPillProps, "count">): ReactNode {
  if (count === undefined) return "Memories";
  const [number, ...word] = countMemories(count).split(" ");
  return (
    <>
      <span data-count="">{number}</span> <span data-word="">{word.join(" ")}</span>
    </>
  );
}
