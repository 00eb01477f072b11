import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

/** What the keys of a list ask for. `extend` ticks up to a card, where cards can be ticked. */
export type FactCommand = "expand" | "pin" | "remove" | "extend";

export interface FactListHandle {
  /** Gives the focus to a card, as soon as it is there. */
  focus(id: string): void;
  /** The card in the tab order. */
  readonly activeElement: HTMLElement | null;
}

export interface FactListProps {
  /** The cards in the order in which they are shown. */
  readonly ids: readonly string[];
  readonly onCommand: (command: FactCommand, id: string) => void;
  /** The list, with the one card that is in the tab order. */
  readonly children: (activeId: string | undefined) => ReactNode;
  readonly className?: string | undefined;
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
 * Cards with one place in the tab order: ↑ and ↓ go from card to card, Home and End to the first and the last,
 * Shift+Enter expands, P pins, Delete deletes. Tab goes on to the buttons of the card, and then out of the list.
 */
export function FactList({ ids, onCommand, children, className, ref }: FactListProps): ReactNode {
  const root = useRef<HTMLDivElement>(null);
  const wanted = useRef<string>(undefined);
  const held = useRef<string>(undefined);
  const [active, setActive] = useState<string>();
  const activeId = active !== undefined && ids.includes(active) ? active : ids[0];

  const [, look] = useState(0);
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
    <div
      ref={root}
      className={className}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        held.current = cardOf(event.target);
        if (held.current !== undefined) setActive(held.current);
      }}
      onBlur={() => {
        held.current = undefined;
      }}
    >
      {children(activeId)}
    </div>
  );
}

function commandOf(event: KeyboardEvent): FactCommand | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === "Enter") return event.shiftKey ? "expand" : undefined;
  return COMMANDS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
}

function focusOf(root: HTMLElement | null, id: string | undefined): HTMLElement | null {
  if (id === undefined) return null;
  return root?.querySelector<HTMLElement>(`[data-fact-id="${CSS.escape(id)}"] [data-fact-focus]`) ?? null;
}

function cardOf(target: EventTarget): string | undefined {
  return target instanceof Element
    ? (target.closest("[data-fact-id]")?.getAttribute("data-fact-id") ?? undefined)
    : undefined;
}

/** Keys in a field belong to the field. */
function isWriting(target: EventTarget): boolean {
  return target instanceof Element && target.matches("textarea, select, input:not([type=checkbox])");
}
