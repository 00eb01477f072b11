import { type ReactNode, useEffect, useState } from "react";

export interface SavedMarkProps {
  /** When it was saved, in milliseconds since 1970. */
  readonly savedAt: number;
  /** For the pulse at the edge. */
  readonly className?: string | undefined;
  /** For the word that stands in its place where motion is not wanted. */
  readonly wordClassName?: string | undefined;
}

/** As long as a person needs to read the word. */
const SHOWN_FOR = 1_600;

/** Says that a card was just saved, and goes away by itself. */
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
