import { type ReactNode, useEffect, useState } from "react";

/** Props of `SavedMark`. */
export interface SavedMarkProps {
  /** Time of saving in milliseconds since 1970. */
  readonly savedAt: number;
  /** Class name of the pulse. */
  readonly className?: string | undefined;
  /** Class name of the word "Saved", to show instead of the pulse if the user prefers reduced motion. */
  readonly wordClassName?: string | undefined;
}

/** As long as a person needs to read the word. */
const SHOWN_FOR = 1_600;

/**
 * Mark on a card that was just saved. It disappears after 1.6 seconds.
 *
 * @param props Time of saving and class names.
 *
 * @example
 * const { saved } = useMemoryFacts(book);
 * const mark = saved && <SavedMark key={saved.at} savedAt={saved.at} />;
 */
export function SavedMark({ savedAt, className, wordClassName }: SavedMarkProps): ReactNode {
  const [isOver, setIsOver] = useState(() => Date.now() - savedAt >= SHOWN_FOR);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), Math.max(0, savedAt + SHOWN_FOR - Date.now()));
    return () => clearTimeout(timer);
  }, [savedAt]);
  if (isOver) return null;
  return (
    <>
      <span data-saved-pulse="" aria-hidden="true" className={className} />
      <span data-saved-word="" className={wordClassName}>
        Saved
      </span>
    </>
  );
}
