/**
 * The `finalFocus` of a popup: `target`, or nothing if the focus moved to the page while the popup was closing. Popups
 * are rendered outside of the page's root. Without this check, the end of the animation takes the focus from the
 * message field, and the next Enter opens the popup again.
 */
export function returnFocus(target: HTMLElement | null): HTMLElement | boolean {
  const isInPage = document.activeElement?.closest("#root") instanceof Element;
  return isInPage ? false : (target ?? true);
}
