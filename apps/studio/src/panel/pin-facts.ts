import { ThroughlineError } from "throughline";
import type { FactBook, MemoryFact } from "throughline/chat";
import { explainProblem } from "throughline/react";
import { panelCopy } from "../copy/panel.ts";
import { announce } from "../ui/announce.ts";
import { sayProblem } from "./panel-toast.ts";

/** Pins or unpins facts one after another, and reports a full list of pins. */
export async function pinFacts(book: FactBook, facts: readonly MemoryFact[], pinned: boolean): Promise<void> {
  try {
    for (const { id } of facts.filter((fact) => fact.pinned !== pinned)) await book.pin(id, pinned);
    announce(pinned ? panelCopy.pin.pinned : panelCopy.pin.unpinned);
  } catch (error) {
    const isFull = ThroughlineError.isInstance(error) && error.code === "invalid-option";
    sayProblem(isFull ? panelCopy.pin.full : explainProblem(error));
  }
}
