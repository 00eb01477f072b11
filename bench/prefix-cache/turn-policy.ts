import type { Message } from "throughline";

/** What is sent for one request, and what was sent to a summariser on the way. */
interface Request {
  readonly window: readonly Message[];
  readonly summariserTokens?: number;
}

/** One session under one policy: called once per request, with all that was said until then. */
interface Replay {
  next(history: readonly Message[]): Promise<Request>;
}

export interface TurnPolicy {
  readonly name: string;
  start(sessionId: string, budget: number): Replay;
}
