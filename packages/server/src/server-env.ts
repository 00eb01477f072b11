import type { HttpBindings } from "@hono/node-server";
import type { Throughline } from "throughline";
import type { AnswerStore, TokenScope } from "throughline/internal/sql";

/** The user, project and permissions of a request. */
export interface Caller {
  readonly userId: string;
  readonly projectId: string | undefined;
  readonly scopes: ReadonlySet<TokenScope>;
  /** Projects that the caller may access (default: all). */
  readonly projectIds?: readonly string[] | undefined;
  /** Id of the token; `undefined` on a loopback address without tokens. */
  readonly tokenId: string | undefined;
}

/** Hono environment of all authenticated routes. */
export interface ServerEnv {
  Bindings: HttpBindings;
  Variables: {
    caller: Caller;
    /** Limited to the data of the caller. */
    throughline: Throughline;
    /** Stored responses for retries. */
    answers: AnswerStore;
    /** Response for a retry with the same Idempotency-Key, if it must differ from the original one. */
    keptAnswer?: Response;
  };
}
