import type { ForeignModelMessage, Message } from "throughline";

/** What the benches use of a session: the entry points of DESIGN 7. */
interface BenchSession {
  append(messages: readonly Message[]): Promise<unknown>;
  prepare(options: { budget?: number; memory?: boolean }): Promise<{
    readonly messages: readonly ForeignModelMessage[];
    readonly system?: string;
  }>;
  compact(options: { targetTokens?: number; keepTokens?: number }): Promise<{ readonly summary: string }>;
}

export interface BenchThroughline {
  session(id: string, options: { contextLimit?: number; outputReserve?: number }): BenchSession;
  close(): Promise<void>;
}

/** Throughline without a model and with the store in the process; `undefined` where the build has no sessions yet. */
export async function openThroughline(): Promise<BenchThroughline | undefined> {
  const built: Readonly<Record<string, unknown>> = await import("throughline");
  const create = built.createThroughline as ((options?: object) => Promise<BenchThroughline>) | undefined;
  return create === undefined ? undefined : create({});
}
