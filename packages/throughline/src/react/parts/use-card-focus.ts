import { type FocusEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";

/** Handle of a `FactList`, from its `ref`. */
export interface FactListHandle {
  /**
   * Moves the focus to a card, as soon as it is rendered.
   *
   * @param id Id of the fact.
   *
   * @example
   * const list = useRef<FactListHandle>(null);
   * list.current?.focus(id);
   */
  focus(id: string): void;
  /** The element in the tab order; `null` in an empty list. */
  readonly activeElement: HTMLElement | null;
}

/** Which card of a list is in the tab order, and that the focus stays with its card. */
export function useCardFocus(ids: readonly string[], ref: Ref<FactListHandle> | undefined) {
  const root = useRef<HTMLDivElement>(null);
  const wanted = useRef<string>(undefined);
  const held = useRef<string>(undefined);
  const [active, setActive] = useState<string>();
  const [, look] = useState(0);
  const activeId = active !== undefined && ids.includes(active) ? active : ids[0];
  const focus = (id: string) => {
    wanted.current = id;
    setActive(id);
    look((times) => times + 1);
  };
  useImperativeHandle(ref, () => ({
    focus,
    get activeElement() {
      return focusOf(root.current, activeId);
    },
  }));
  // A card that was asked for may come with this render or with a later one. And a card that had the focus keeps it
  // when what was focused in it is gone: an editor that was closed, a card that moved to another group.
  useLayoutEffect(() => {
    const lost = document.activeElement === document.body ? held.current : undefined;
    const element = focusOf(root.current, wanted.current ?? lost);
    if (lost !== undefined) held.current = undefined;
    if (!element) return;
    wanted.current = undefined;
    element.focus();
  });
  const onFocus = (event: FocusEvent) => {
    held.current = cardOf(event.target);
    if (held.current !== undefined) setActive(held.current);
  };
  const onBlur = () => {
    held.current = undefined;
  };
  return { root, activeId, focus, onFocus, onBlur };
}

function focusOf(root: HTMLElement | null, id: string | undefined): HTMLElement | null {
  if (id === undefined) return null;
  return root?.querySelector<HTMLElement>(`[data-fact-id="${CSS.escape(id)}"] [data-fact-focus]`) ?? null;
}

/** The card around something. */
export function cardOf(target: EventTarget): string | undefined {
  return target instanceof Element
    ? (target.closest("[data-fact-id]")?.getAttribute("data-fact-id") ?? undefined)
    : undefined;
}
