import { useEffect, useRef } from "react";

/** True while a person types: keys are text then. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Controls that take keys themselves: menus, and lists to choose from. */
const TAKES_KEYS = "[role=dialog], [role=menu], [role=option]";
/** A closed list takes letters, to choose by the first ones, and keys that open it. */
const TAKES_LETTERS = `${TAKES_KEYS}, [role=combobox]`;

function isForControl({ target, key }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.closest(key === "/" ? TAKES_KEYS : TAKES_LETTERS) !== null;
}

/** Runs actions by single keys of this page, in lower case or as the key is named (`ArrowDown`, `Delete`). */
export function useKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event) || isForControl(event)) return;
      const action = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
