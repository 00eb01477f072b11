import type { HttpBindings } from "@hono/node-server";
import type { Throughline } from "throughline";
import type { AnswerStore, TokenScope } from "throughline/internal";

/** Who asks, and for which project. */
export interface Caller {
  readonly userId: string;
  readonly projectId: string | undefined;
  readonly scopes: ReadonlySet<TokenScope>;
  /** Projects that the caller may ask for; all of them if not given. */
  readonly projectIds?: readonly string[] | undefined;
  /** Of the token that it came with; nothing on a loopback address without tokens. */
  readonly tokenId: string | undefined;
}

/** What every handler behind the gate can ask its context for. */
export interface ServerEnv {
  Bindings: HttpBindings;
  Variables: {
    caller: Caller;
    /** Sees what the caller may see, and nothing else. */
    throughline: Throughline;
    /** What writes were answered with that may come again. */
    answers: AnswerStore;
    /** What a retry with the same Idempotency-Key gets, if it may not get the answer itself. */
    keptAnswer?: Response;
  };
}
