import { createRoute, z } from "@hono/zod-openapi";
import { NotFoundError } from "throughline";
import { makeToken } from "../../middleware/check-token.ts";
import { once } from "../../middleware/retry-steps.ts";
import { problem } from "../../problem.ts";
import type { Services } from "../../services.ts";
import { answers, created, done, jsonBody, may } from "../define-route.ts";
import { createRouter, type Router } from "../router.ts";
import { idParam } from "../schemas/common.ts";
import { CreatedTokenSchema, CreateTokenBody, TokenSchema } from "../schemas/server.ts";
import { fromWire, toWire } from "../wire-json.ts";

const tags = ["tokens"];
const TokensSchema = z.object({ items: z.array(TokenSchema) }).openapi("Tokens");

const list = createRoute({
  method: "get",
  path: "/tokens",
  operationId: "listTokens",
  tags,
  summary: "List tokens, without their secrets",
  ...may("admin"),
  responses: answers(TokensSchema, "All tokens, oldest first."),
});

const create = createRoute({
  method: "post",
  path: "/tokens",
  operationId: "createToken",
  tags,
  summary: "Create a token for a user and their projects",
  ...may("admin"),
  request: jsonBody(CreateTokenBody),
  responses: created(CreatedTokenSchema, "The token with its secret, which is returned only once."),
});

const revoke = createRoute({
  method: "delete",
  path: "/tokens/{id}",
  operationId: "revokeToken",
  tags,
  summary: "Revoke a token, effective immediately; on other servers after at most five seconds",
  ...may("admin"),
  request: { params: idParam },
  responses: done("The token was revoked."),
});

/** Secrets are not stored, so a retry cannot return one again. */
function secretCannotBeShown(id: string): string {
  return `The first request with this Idempotency-Key created token ${id}. Its secret was shown once and is not stored: revoke the token and create another.`;
}

export function tokenRoutes({ store, tokens: checker, clock, events }: Services): Router {
  const { tokens } = store.server;
  const app = createRouter();
  app.openapi(list, async (c) => c.json(toWire(TokensSchema, { items: await tokens.list() }), 200));
  app.openapi(create, async (c) => {
    const { secret, token } = makeToken({ ...fromWire(c.req.valid("json")), createdAt: clock.now() });
    const id = await once(
      "create",
      () => tokens.add(token).then(() => token.id),
      ({ op }) => (op === "token" ? token.id : undefined),
    );
    const known = problem(409, "idempotency-conflict", secretCannotBeShown(id));
    if (id !== token.id) return known as never;
    c.set("keptAnswer", known);
    return c.json({ token: secret, details: toWire(TokenSchema, token) }, 201);
  });
  app.openapi(revoke, async (c) => {
    const { id } = c.req.valid("param");
    const isRevoked = await once(
      "revoke",
      () => tokens.revoke(id, clock.now()),
      ({ op }) => op === "token" || undefined,
    );
    if (!isRevoked) throw new NotFoundError(`Active token ${id}`, "here");
    checker.forget();
    events.endToken(id);
    return c.body(null, 204);
  });
  return app;
}
