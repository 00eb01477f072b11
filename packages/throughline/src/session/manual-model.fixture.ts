import type { Model, ModelReply, ModelRequest } from "../ports/model.ts";
import { createThroughline } from "../throughline.ts";
import type { ThroughlineOptions } from "../throughline-api.ts";
import { clock } from "./long-session.fixture.ts";
import type { SessionOptions } from "./session-options.ts";

/** A task with a rule that has to survive every compaction. */
export const TASK = "Port the shop to TypeScript. Never touch src/legacy.ts.";
/** A summary with sections that the model is asked for. */
export const STORY =
  "### Original Task\nPort it.\n### Completed Work\nThe cart is ported.\n### Current State\nStripe was chosen.";

export interface Call {
  readonly request: ModelRequest;
  readonly answer: (text: string) => void;
  readonly fail: (error: Error) => void;
}

/** A model whose calls are answered by hand. */
export function manualModel(onCall: (call: Call) => void = () => undefined) {
  const calls: Call[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const model: Model = {
    modelId: "gpt-4o",
    generate: (request) => {
      const { promise, resolve, reject } = Promise.withResolvers<ModelReply>();
      const call = { request, answer: (text: string) => resolve({ text }), fail: reject };
      calls.push(call);
      onCall(call);
      for (const one of waiting) if (calls.length >= one.count) one.resolve();
      return promise;
    },
  };
  /** Resolves with the call of this number, from 1, as soon as it is made. */
  const asked = async (count: number): Promise<Call> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ count, resolve });
    if (calls.length >= count) resolve();
    await promise;
    return calls[count - 1] as Call;
  };
  return { model, calls, asked };
}

/** Opens a session, with access to its background work and log. */
export async function openObserved(options: ThroughlineOptions = {}, settings: SessionOptions = {}) {
  const pending: Promise<void>[] = [];
  const logs: string[] = [];
  const logger = {
    info: (text: string) => logs.push(`info ${text}`),
    warn: (text: string) => logs.push(`warn ${text}`),
  };
  const waitUntil = (work: Promise<void>) => pending.push(work);
  const tl = await createThroughline({ clock, logger, waitUntil, ...options });
  const session = tl.session("s", { modelId: "gpt-4o", contextLimit: 100_000, ...settings });
  return { tl, session, pending, logs, settle: () => Promise.all(pending) };
}
