import { ThroughlineError } from "throughline";
import type { FactBook, MemoryFact } from "throughline/chat";
import { explainProblem } from "throughline/react";
import { announce } from "../ui/announce.ts";
import { sayProblem } from "./panel-toast.ts";

const FULL = "Pinned memories are full (10). Unpin one first.";

/** Pins or unpins, one after another; where there is no more room it says so. */
export async function pinFacts(book: FactBook, facts: readonly MemoryFact[], pinned: boolean): Promise<void> {
  try {
    for (const { id } of facts.filter((fact) => fact.pinned !== pinned)) await book.pin(id, pinned);
    announce(pinned ? "Pinned" : "Unpinned");
  } catch (error) {
    const isFull = ThroughlineError.isInstance(error) && error.code === "invalid-option";
    sayProblem(isFull ? FULL : explainProblem(error));
  }
}
