import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isRecord } from "../message/read-json.ts";
import { askUpstream } from "./ask-upstream.ts";
import { problem } from "./problem.ts";
import { checkUpstream, type UpstreamModel } from "./upstream-model.ts";

const MOST_BYTES = 32 * 1024 * 1024;

/** The server's model: all that is under `/v1`. */
export function forwardModel(upstream: UpstreamModel | undefined): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  if (upstream !== undefined) {
    checkUpstream(upstream);
    const { model } = upstream;
    app.get("/models", (c) => (model === undefined ? askUpstream(upstream, "models", c) : onlyModel(model)));
    app.post("/chat/completions", bodyLimit({ maxSize: MOST_BYTES, onError: tooLarge }), async (c) => {
      const body = await c.req.arrayBuffer();
      const chosen = model === undefined ? body : chooseModel(body, model);
      return chosen instanceof Response ? chosen : askUpstream(upstream, "chat/completions", c, chosen);
    });
  }
  return app.all("*", () =>
    upstream === undefined
      ? problem(404, "no-model", "This server has no model. Set THROUGHLINE_MODEL_URL and start it again.")
      : problem(404, "not-found", "Here are only GET /v1/models and POST /v1/chat/completions."),
  );
}

function tooLarge(): Response {
  return problem(413, "body-too-large", `A request may have ${MOST_BYTES / 1024 / 1024} MiB.`);
}

/** As the upstream would list it. */
function onlyModel(id: string): Response {
  const data = [{ id, object: "model", created: 0, owned_by: "throughline" }];
  return Response.json({ object: "list", data }, { headers: { "cache-control": "no-store" } });
}

/** A request that names no model gets ours; one that names it stays as it is, byte for byte. */
function chooseModel(body: ArrayBuffer, model: string): ArrayBuffer | string | Response {
  const request = readJson(body);
  if (!isRecord(request)) return problem(400, "bad-request", "The body is not a JSON object.");
  if (request.model === undefined) return JSON.stringify({ ...request, model });
  if (request.model === model) return body;
  return problem(404, "model-not-offered", `This server offers only the model ${model}.`);
}

function readJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
