import type { KeyboardEvent, ReactNode, Ref } from "react";
import { cardOf, type FactListHandle, useCardFocus } from "./use-card-focus.ts";

/** What the keys of a list ask for. `extend` ticks up to a card, where cards can be ticked. */
export type FactCommand = "expand" | "pin" | "remove" | "extend";

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
