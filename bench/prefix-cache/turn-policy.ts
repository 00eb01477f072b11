import type { Message } from "throughline";

/** The window of one request, and the tokens sent to a summarizer for it. */
interface Request {
  readonly window: readonly Message[];
  readonly summarizerTokens?: number;
}

/** One session under one policy: called once per request, with all messages so far. */
interface Replay {
  next(history: readonly Message[]): Promise<Request>;
}

export interface TurnPolicy {
  readonly name: string;
  start(sessionId: string, budget: number): Replay;
}
