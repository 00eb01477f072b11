/** The same endpoint in several frameworks and styles: path and text of the file. */
export const ENDPOINT_FORMS: Readonly<Record<string, readonly [path: string, text: string]>> = {
  "a middleware that checks": [
    "src/NAME.router.ts",
    `
    import { createNameSchema } from "./NAME.schema";
    import { z } from "zod";
    export const router = Router();
    router.post("/api/NAME", authenticate, validate(createNameSchema), asyncHandler(async (req, res) => {
      const result = await nameService.create(req.body);
      return result.match({
        ok: (value) => res.status(201).json({ data: value }),
        err: (error) => res.status(422).json({ error }),
      });
    }));`,
  ],
  "Next's folders": [
    "src/app/api/NAME/route.ts",
    `
    import { NextResponse } from "next/server";
    import { z } from "zod";
    const Body = z.object({ name: z.string() });
    export async function POST(request: Request) {
      const body = Body.safeParse(await request.json());
      if (!body.success) return NextResponse.json({ error: body.error }, { status: 400 });
      const result = await createName(body.data);
      if (result.error) return NextResponse.json({ error: result.error }, { status: 409 });
      return NextResponse.json({ data: result.data });
    }`,
  ],
  "Next's pages": [
    "pages/api/NAME/index.ts",
    `
    import { z } from "zod";
    export default async function handler(req: NextApiRequest, res: NextApiResponse) {
      const input = NameInput.parse(req.body);
      const outcome = await saveName(input);
      if (isErr(outcome)) { res.status(400).json({ error: outcome.error }); return; }
      res.status(200).json({ data: outcome.value });
    }`,
  ],
  Koa: [
    "api/NAME.js",
    `
    const { z } = require("zod");
    const router = new Router({ prefix: "/api/NAME" });
    router.put("/:id", async (ctx) => {
      const input = nameSchema.parse(ctx.request.body);
      const result = await update(ctx.params.id, input);
      if (!result.success) { ctx.body = { error: result.error }; return; }
      ctx.body = { data: result.data };
    });`,
  ],
  Fastify: [
    "plugins/NAME.ts",
    `
    import { z } from "zod";
    export default async function routes(fastify: FastifyInstance) {
      fastify.post("/api/NAME", async (request, reply) => {
        const input = z.object({ name: z.string() }).parse(request.body);
        const result: Result<Name, Problem> = await store(input);
        if (result.isFailure()) return reply.code(409).send({ error: result.problem });
        return reply.send({ data: result.value });
      });
    }`,
  ],
  "Hono with a description": [
    "src/NAME/handlers.ts",
    `
    import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
    const route = createRoute({ method: "post", path: "/api/NAME", request: { body: jsonContent(NameInput) }, responses: {} });
    export const api = new OpenAPIHono().openapi(route, async (c) => {
      const outcome = await insert(c.req.valid("json"));
      if (!outcome.ok) return c.json({ error: outcome.error }, 409);
      return c.json({ data: outcome.value }, 201);
    });`,
  ],
};
