import type { MemoryService } from "throughline";
import { makeEntries } from "./recall/generated-turns.ts";

/** Fills the memory with deterministic data: seven turns per memory. */
export async function fillMemory(memory: MemoryService, size: number): Promise<void> {
  const made = makeEntries(1);
  const entries = Array.from({ length: size }, () => made.next().value);
  const turns = entries.filter(({ type }) => type === "turn");
  for (const [sessionId, said] of Map.groupBy(turns, (turn) => turn.sessionId ?? "")) {
    const messages = said.map(({ id, role = "user", text, at = 0, speaker = "Ann" }) => ({
      id,
      role,
      text,
      at,
      name: speaker,
    }));
    await memory.ingest({ sessionId, messages });
  }
  for (const { text } of entries.filter(({ type }) => type === "memory")) await memory.remember({ text });
}
