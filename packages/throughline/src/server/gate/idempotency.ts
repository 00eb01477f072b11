import { createHash, randomUUID } from "node:crypto";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AnswerShelf, KeptAnswer } from "../../ports/server-shelf.ts";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";

/** Milliseconds after which a request whose server died may be made again. */
const CLAIM = 120_000;
const KEPT_HEADERS = ["content-type", "location"];
const MOST_KEPT = 1024 * 1024;

/** The same write under the same `Idempotency-Key` is done once: who asks again gets the first answer again. */
export function idempotency() {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const given = c.req.header("idempotency-key");
    if (given === undefined) return next();
    if (!/^[\x21-\x7e]{1,200}$/.test(given)) {
      return problem(400, "bad-request", "Idempotency-Key takes 1 to 200 visible ASCII characters.");
    }
    const { answers } = c.var;
    const request = digest(`${c.req.method} ${c.req.path}\n`, await c.req.arrayBuffer());
    const claim: Claim = { ...nameOf(c, given), request, holder: randomUUID() };
    const claimed = await answers.claim(claim.owner, claim.key, request, CLAIM, claim.holder);
    if (claimed === "busy") {
      const headers = { "retry-after": "1" };
      return problem(409, "conflict", "A request with this Idempotency-Key is under way.", { headers });
    }
    if (claimed !== "taken") return again(claimed, request);
    return keepAnswer(answers, claim, async () => {
      await next();
      return c.res;
    });
  });
}

/** Erases what writes were answered with: it may say again what was just purged. */
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

function again({ request, status, headers, body }: KeptAnswer, asked: string): Response {
  if (request !== asked) {
    return problem(422, "idempotency-conflict", "This Idempotency-Key was used for another request.");
  }
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : body, { status, headers: { ...headers, "idempotent-replayed": "true" } });
}

interface Claim {
  readonly owner: string;
  readonly key: string;
  readonly request: string;
  readonly holder: string;
}

/** What failed on our side may be tried again; everything else is an answer. */
async function keepAnswer(answers: AnswerShelf, claim: Claim, answer: () => Promise<Response>): Promise<undefined> {
  const { owner, key, request, holder } = claim;
  try {
    const { status, headers, body } = await readAnswer(await answer());
    const isOurs = status >= 500 || status === 429 || body.length > MOST_KEPT;
    if (isOurs) await answers.release(owner, key, holder);
    else await answers.keep(owner, key, { request, status, headers, body }, holder);
  } catch (error) {
    await answers.release(owner, key, holder);
    throw error;
  }
}

async function readAnswer(response: Response): Promise<Omit<KeptAnswer, "request">> {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.clone().text() };
}
