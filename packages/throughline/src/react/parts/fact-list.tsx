import type { KeyboardEvent, ReactNode, Ref } from "react";
import { cardOf, type FactListHandle, useCardFocus } from "./use-card-focus.ts";

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
