import { createHash, randomUUID } from "node:crypto";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AnswerClaim, AnswerStore, InterruptedRequest, StoredAnswer } from "throughline/internal/sql";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";
import { runSteps } from "./idempotent-steps.ts";

/** Milliseconds after which another server takes over the request of a crashed one. A live server renews its claim. */
const CLAIM = 10_000;
const KEPT_HEADERS = ["content-type", "location"];
const MAX_KEPT = 1024 * 1024;

/**
 * Makes a write with an `Idempotency-Key` exactly once: a retry gets the first response. If the first attempt crashed
 * between its write and its response, the retry continues from the recorded steps.
 */
export function idempotency() {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const given = c.req.header("idempotency-key");
    if (given === undefined || c.req.method === "GET" || c.req.method === "HEAD") return next();
    if (!/^[\x21-\x7e]{1,200}$/.test(given)) {
      return problem(400, "bad-request", "Invalid Idempotency-Key: expected 1 to 200 visible ASCII characters.");
    }
    const { answers } = c.var;
    const request = digest(`${c.req.method} ${c.req.path}\n`, await c.req.arrayBuffer());
    const claim: AnswerClaim = { ...nameOf(c, given), request, holder: randomUUID() };
    const claimed = await answers.claim(claim.owner, claim.key, request, CLAIM, claim.holder);
    if (claimed === "busy") {
      const headers = { "retry-after": "1" };
      return problem(
        409,
        "conflict",
        "A request with this Idempotency-Key is still running. Retry in a second to get its answer.",
        { headers },
      );
    }
    if (typeof claimed === "object" && "status" in claimed) return replayAnswer(claimed, request);
    const notes = claimed === "taken" ? [] : readNotes(claimed, request);
    if (notes instanceof Response) {
      await answers.release(claim.owner, claim.key, claim.holder);
      return notes;
    }
    return keepAnswer(answers, claim, async () => {
      await runSteps(claim, notes, next);
      return c.var.keptAnswer ?? c.res;
    });
  });
}

/** The notes of an interrupted attempt, or the response if this request cannot continue from them. */
function readNotes({ request, notes }: InterruptedRequest, requestHash: string): readonly unknown[] | Response {
  if (notes === undefined) {
    const detail =
      "The outcome of the first request with this Idempotency-Key is unknown: a purge erased its record before it was answered. Check whether it was done, then use a new key.";
    return problem(409, "idempotency-conflict", detail);
  }
  return request === requestHash ? notes : otherRequest();
}

function otherRequest(): Response {
  return problem(
    422,
    "idempotency-conflict",
    "This Idempotency-Key was already used for a different request. Use a new key.",
  );
}

/** Erases stored responses, which may contain the purged content. */
export async function eraseAnswers(c: Context<ServerEnv>, whose: "own" | "everybody's"): Promise<void> {
  const given = c.req.header("idempotency-key");
  const except = given === undefined ? {} : { except: nameOf(c, given) };
  await c.var.answers.erase(whose === "own" ? { owner: c.var.caller.userId, ...except } : except);
}

function nameOf(c: Context<ServerEnv>, given: string): { readonly owner: string; readonly key: string } {
  const { userId: owner, projectId = null } = c.var.caller;
  return { owner, key: JSON.stringify([projectId, given]) };
}

function digest(head: string, body: ArrayBuffer): string {
  return createHash("sha256").update(head).update(new Uint8Array(body)).digest("hex");
}

function replayAnswer({ request, status, headers, body }: StoredAnswer, requestHash: string): Response {
  if (request !== requestHash) return otherRequest();
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : body, { status, headers: { ...headers, "idempotent-replayed": "true" } });
}

/** Stores the response, unless it is a server error, which may be retried. */
async function keepAnswer(
  answers: AnswerStore,
  claim: AnswerClaim,
  answer: () => Promise<Response>,
): Promise<undefined> {
  const { owner, key, request, holder } = claim;
  const stopRenewing = keepRenewing(answers, claim);
  try {
    const { status, headers, body } = await answer().then(readAnswer).finally(stopRenewing);
    const isOurs = status >= 500 || status === 429 || body.length > MAX_KEPT;
    if (isOurs) await answers.release(owner, key, holder);
    else await answers.save(owner, key, { request, status, headers, body }, holder);
  } catch (error) {
    await answers.release(owner, key, holder);
    throw error;
  }
}

/** Renews a claim until the returned function is called, one renewal at a time. */
function keepRenewing(answers: AnswerStore, { owner, key, request, holder }: AnswerClaim): () => Promise<void> {
  let isOver = false;
  let renewal: Promise<unknown> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    if (isOver) return;
    timer = setTimeout(() => {
      // If this fails, the claim lapses and the store rejects the writes of a request that was taken over.
      renewal = answers.claim(owner, key, request, CLAIM, holder).catch(() => undefined);
      renewal.then(wait);
    }, CLAIM / 3);
  };
  wait();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await renewal;
  };
}

async function readAnswer(response: Response): Promise<Omit<StoredAnswer, "request">> {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.clone().text() };
}
