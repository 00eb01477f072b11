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

/** Which card of a list is in the tab order, and that the focus stays with its card. */
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
  // A card that was asked for may come with this render or with a later one. And a card that had the focus keeps it
  // when what was focused in it is gone: an editor that was closed, a card that moved to another group.
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

/** The card around something. */
function cardOf(target: EventTarget): string | undefined {
  return target instanceof Element
    ? (target.closest("[data-fact-id]")?.getAttribute("data-fact-id") ?? undefined)
    : undefined;
}
