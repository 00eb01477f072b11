import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";

/** The rows on screen and, wherever they are, those that hold the focus or an edit: scrolling must not lose them. */
export function keepInRange(range: Range, kept: readonly number[]): number[] {
  const shown = defaultRangeExtractor(range);
  const missing = kept.filter((index) => index >= 0 && index < range.count && !shown.includes(index));
  return [...new Set([...shown, ...missing])].sort((a, b) => a - b);
}
