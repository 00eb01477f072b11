import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

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

/** Command of a key in a `FactList`. `extend`: select up to this card. */
export type FactCommand = "expand" | "pin" | "remove" | "extend";

/** Props of `FactList`. */
export interface FactListProps {
  /** Ids of the facts in the order of display. */
  readonly ids: readonly string[];
  /** Called with a command and the id of its fact. */
  readonly onCommand: (command: FactCommand, id: string) => void;
  /** Renders the cards. Pass `isActive` to the card whose id is `activeId`: it is the one in the tab order. */
  readonly children: (activeId: string | undefined) => ReactNode;
  /** Class name of the list. */
  readonly className?: string | undefined;
  /** Handle that moves the focus to a card. */
  readonly ref?: Ref<FactListHandle>;
}

const MOVES: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

const COMMANDS: Record<string, FactCommand> = { p: "pin", Delete: "remove", Backspace: "remove" };

/**
 * List of fact cards with keyboard control. The list is one stop in the tab order: ↑ and ↓ move between cards, Home and
 * End to the first and last, Shift+Enter expands, P pins, Delete deletes.
 *
 * @param props Ids, command handler and a function that renders the cards.
 *
 * @example
 * const list = (
 *   <FactList ids={facts.map(({ id }) => id)} onCommand={(command, id) => console.log(command, id)}>
 *     {(activeId) =>
 *       facts.map((fact) => (
 *         <FactCard key={fact.id} fact={fact} look={look} actions={actions} isActive={fact.id === activeId} />
 *       ))
 *     }
 *   </FactList>
 * );
 */
export function FactList({ ids, onCommand, children, className, ref }: FactListProps): ReactNode {
  const { root, activeId, focus, onFocus, onBlur } = useCardFocus(ids, ref);
  const onKeyDown = (event: KeyboardEvent) => {
    const id = cardOf(event.target);
    if (id === undefined || isWriting(event.target)) return;
    const move = MOVES[event.key];
    const command = commandOf(event);
    if (!move && !command) return;
    event.preventDefault();
    if (command) return onCommand(command, id);
    const next = ids[move?.(ids.indexOf(id), ids.length - 1) ?? 0];
    if (next === undefined) return;
    focus(next);
    if (event.shiftKey) onCommand("extend", next);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the cards, which can have the focus
    <div ref={root} className={className} onKeyDown={onKeyDown} onFocus={onFocus} onBlur={onBlur}>
      {children(activeId)}
    </div>
  );
}

function commandOf(event: KeyboardEvent): FactCommand | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === "Enter") return event.shiftKey ? "expand" : undefined;
  return COMMANDS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
}

/** Keys in a field belong to the field. */
function isWriting(target: EventTarget): boolean {
  return target instanceof Element && target.matches("textarea, select, input:not([type=checkbox])");
}

/** Roving tab index: selects the card in the tab order, and keeps the focus on its card. */
function useCardFocus(ids: readonly string[], ref: Ref<FactListHandle> | undefined) {
  const root = useRef<HTMLDivElement>(null);
  const wanted = useRef<string>(undefined);
  const focusedId = useRef<string>(undefined);
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
  // The requested card may appear in this render or a later one. A card keeps the focus when its focused element is
  // removed: a closed editor, or a card that moved to another group.
  useLayoutEffect(() => {
    const lost = document.activeElement === document.body ? focusedId.current : undefined;
    const element = focusOf(root.current, wanted.current ?? lost);
    if (lost !== undefined) focusedId.current = undefined;
    if (!element) return;
    wanted.current = undefined;
    element.focus();
  });
  const onFocus = (event: FocusEvent) => {
    focusedId.current = cardOf(event.target);
    if (focusedId.current !== undefined) setActive(focusedId.current);
  };
  const onBlur = () => {
    focusedId.current = undefined;
  };
  return { root, activeId, focus, onFocus, onBlur };
}

function focusOf(root: HTMLElement | null, id: string | undefined): HTMLElement | null {
  if (id === undefined) return null;
  return root?.querySelector<HTMLElement>(`[data-fact-id="${CSS.escape(id)}"] [data-fact-focus]`) ?? null;
}

/** The card that contains an element. */
function cardOf(target: EventTarget): string | undefined {
  return target instanceof Element
    ? (target.closest("[data-fact-id]")?.getAttribute("data-fact-id") ?? undefined)
    : undefined;
}

/** Selected facts of a list. */
export interface FactSelection {
  /** Ids of the selected facts. */
  readonly ids: ReadonlySet<string>;
  /** Fact at which a range starts: the last one that was toggled. */
  readonly anchor?: string;
}

/** A selection without facts. Start with it. */
export const NOTHING_SELECTED: FactSelection = { ids: new Set() };

/**
 * Selects a fact, or unselects it if it is selected. Returns a new selection.
 *
 * @param selection Current selection.
 * @param id Id of the fact.
 *
 * @example
 * const selection = toggleFact(NOTHING_SELECTED, id);
 */
export function toggleFact({ ids }: FactSelection, id: string): FactSelection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/**
 * Selects all facts between the last toggled one and this one, as Shift+click does. Returns a new selection.
 *
 * @param selection Current selection. Without an anchor in the list, only the one fact is toggled.
 * @param id Id of the fact at the other end, included.
 * @param shown Ids of the facts in the order of display.
 *
 * @example
 * const selection = extendTo({ ids: new Set(["f1"]), anchor: "f1" }, "f3", ["f1", "f2", "f3"]);
 */
export function extendTo(selection: FactSelection, id: string, shown: readonly string[]): FactSelection {
  const from = selection.anchor === undefined ? -1 : shown.indexOf(selection.anchor);
  const to = shown.indexOf(id);
  if (from < 0 || to < 0) return toggleFact(selection, id);
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), ...(selection.anchor && { anchor: selection.anchor }) };
}

/**
 * Unselects facts that are no longer shown, e.g. after a filter changed.
 *
 * @param selection Current selection.
 * @param shown Ids of the facts that are shown.
 * @returns the same object if nothing changed.
 *
 * @example
 * const selection = keepShown(
 *   NOTHING_SELECTED,
 *   facts.map((fact) => fact.id),
 * );
 */
export function keepShown(selection: FactSelection, shown: readonly string[]): FactSelection {
  const ids = new Set(shown.filter((id) => selection.ids.has(id)));
  return ids.size === selection.ids.size ? selection : { ...selection, ids };
}
