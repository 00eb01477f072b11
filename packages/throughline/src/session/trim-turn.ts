import type { CompactionEvent } from "../compact/window.ts";
import { IrreducibleContextError } from "../errors/irreducible-context-error.ts";
import type { Message } from "../message/message.ts";
import { type FittedWindow, fitWindow } from "../trim/fit-window.ts";
import type { TrimOptions } from "../trim/trim-options.ts";
import type { TurnState } from "./turn-state.ts";

type SourcesOf = NonNullable<TrimOptions["sourcesOf"]>;

/** A turn with the window as it is sent. */
export interface TrimmedTurn extends TurnState {
  readonly fitted: FittedWindow;
  /** The latest compaction in the window. */
  readonly latest: CompactionEvent | undefined;
  /** Ids of the appended messages that messages of the sent window consist of. */
  readonly sourcesOf: SourcesOf;
}

/**
 * Makes the window of a turn legal and trims it to its budget.
 *
 * @throws IrreducibleContextError with the budget that the caller gave, if nothing makes it fit.
 */
export function trimTurn(turn: TurnState): TrimmedTurn {
  const { window, state, sources, budget, counter, deps } = turn;
  const entry = state.entries.findLast((one) => "event" in one);
  const latest = entry && "event" in entry ? sources.events.get(entry.event) : undefined;
  const sourcesOf = sourcesIn(window, latest);
  const counts = { count: counter.text, tokensOf: counter.part, messageTokens: counter.message, sourcesOf };
  const { asked, messages, bytes } = budget;
  try {
    const fitted = fitWindow(window.map(withoutStepMarks), { tokens: messages, bytes }, counts, deps);
    return { ...turn, fitted, latest, sourcesOf };
  } catch (error) {
    if (!(error instanceof IrreducibleContextError)) throw error;
    const taken = asked - Math.floor(error.budget * counter.factor);
    throw new IrreducibleContextError(asked, taken + Math.ceil(error.tokens * counter.factor), error.parts);
  }
}

/** Marks of steps are not sent, so they take no tokens and are not on the receipt. */
function withoutStepMarks(message: Message): Message {
  const parts = message.parts.filter(({ type }) => type !== "step-start");
  if (parts.length === message.parts.length) return message;
  const { tokens: _, ...rest } = message;
  return { ...rest, parts };
}

/** Finds the appended messages behind messages of the sent window: a repair may have joined turns or moved results. */
function sourcesIn(window: readonly Message[], latest: CompactionEvent | undefined): SourcesOf {
  const standIns = new Set(latest?.standIns.map(({ id }) => id));
  const places = new Map<string, number>();
  window.forEach(({ id, parts }, place) => {
    if (!standIns.has(id)) for (const part of parts) places.set(part.id, place);
  });
  return (messages) => {
    const found = messages.flatMap(({ parts }) => parts.flatMap((part) => places.get(part.id) ?? []));
    return [...new Set(found)].sort((a, b) => a - b).flatMap((place) => window[place]?.id ?? []);
  };
}
