import { type RefObject, useEffect, useRef } from "react";
import { matchesShortcut } from "../../panel/shortcut.ts";

export const INSPECT_KEYS = "Mod+Shift+D";

interface ChatKeys {
  readonly onInspect: () => void;
  /** A slash outside text fields. */
  readonly onCompose: () => void;
}

/** The keys of the chat. A slash counts only in the chat itself or nowhere, so that other parts have their own. */
export function useChatKeys({ onInspect, onCompose }: ChatKeys): RefObject<HTMLElement | null> {
  const view = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (matchesShortcut(event, INSPECT_KEYS)) onInspect();
      else if (isComposeKey(event, view.current)) onCompose();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [onInspect, onCompose]);
  return view;
}

function isComposeKey(event: KeyboardEvent, view: HTMLElement | null): boolean {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.matches("input, textarea, select, [contenteditable]")) return false;
  return target === document.body || view?.contains(target) === true;
}
