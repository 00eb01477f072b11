import type { ForeignModelMessage, Message } from "throughline";

/** The session API that the benchmarks use. */
interface BenchSession {
  append(messages: readonly (Message | ForeignModelMessage)[]): Promise<unknown>;
  prepare(options: { budget?: number; memory?: boolean }): Promise<{
    readonly messages: readonly ForeignModelMessage[];
    readonly system?: string;
  }>;
  compact(options: { targetTokens?: number; keepTokens?: number }): Promise<{ readonly summary: string }>;
}

export interface BenchThroughline {
  session(id: string, options: { contextLimit?: number; outputReserve?: number; modelId?: string }): BenchSession;
  close(): Promise<void>;
}

/** Opens Throughline without a model and with an in-process store; `undefined` if the build has no sessions. */
export async function openThroughline(): Promise<BenchThroughline | undefined> {
  const built: Readonly<Record<string, unknown>> = await import("throughline");
  const create = built.createThroughline as ((options?: object) => Promise<BenchThroughline>) | undefined;
  return create === undefined ? undefined : create({});
}
