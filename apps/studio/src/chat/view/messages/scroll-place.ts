/** Scroll position of a list, in pixels. */
export type ScrollPlace = Pick<HTMLElement, "scrollTop" | "scrollHeight" | "clientHeight">;

/** Nearer to the end than this, in pixels, one is at the end. */
const AT_END = 16;

export function isAtEnd({ scrollTop, scrollHeight, clientHeight }: ScrollPlace, within = AT_END): boolean {
  return scrollHeight - clientHeight - scrollTop <= within;
}

/** Returns if the person scrolled up. A list that shrinks, or a screen that grows, moves it too and does not count. */
export function isLeaving(before: ScrollPlace, after: ScrollPlace): boolean {
  const wasPushed = after.scrollHeight < before.scrollHeight || after.clientHeight > before.clientHeight;
  return after.scrollTop < before.scrollTop && !wasPushed;
}
