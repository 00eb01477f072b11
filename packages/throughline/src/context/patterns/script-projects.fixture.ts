import { forEach, type ProjectText } from "./projects.fixture.ts";

// Projects with the same endpoint pattern in different styles: route, zod schema, typed result, JSON.

const THINGS = ["user", "order", "invoice", "product"];

const RESULT = `
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };
export const ok = <T>(value: T) => ({ ok: true as const, value });
export const err = <E>(error: E) => ({ ok: false as const, error });
`;

const SERVICE = `
import { err, ok, type Result } from "../lib/result.js";
export async function createName(input: unknown): Promise<Result<string, string>> {
  if (input === undefined) return err("empty");
  return ok("made");
}
export async function findName(id: string): Promise<Result<string, string>> {
  return id === "" ? err("none") : ok(id);
}
`;

/** Express with all code in the handler. */
export const express: ProjectText = {
  "src/lib/result.ts": RESULT,
  "src/app.ts": `
    import express from "express";
    import { users } from "./routes/users.js";
    const app = express();
    app.use(express.json());
    app.use(users);
    app.listen(3000);`,
  ...forEach(THINGS, "src/services/NAME-service.ts", SERVICE),
  ...forEach(
    THINGS,
    "src/routes/NAMEs.ts",
    `
    import { Router } from "express";
    import { z } from "zod";
    import { createName, findName } from "../services/NAME-service.js";
    export const NAMEs = Router();
    const Create = z.object({ name: z.string() });
    NAMEs.post("/api/NAMEs", async (req, res) => {
      const parsed = Create.safeParse(req.body);
      if (!parsed.success) return res.status(400).json({ error: parsed.error.flatten() });
      const result = await createName(parsed.data);
      if (!result.ok) return res.status(409).json({ error: result.error });
      return res.status(201).json({ data: result.value });
    });
    NAMEs.get("/api/NAMEs/:id", async (req, res) => {
      const result = await findName(req.params.id);
      if (!result.ok) return res.status(404).json({ error: result.error });
      return res.json({ data: result.value });
    });`,
  ),
};

/** Hono with zod middleware, routes that another file mounts, and results of a library. */
export const hono: ProjectText = {
  "src/index.ts": `
    import { Hono } from "hono";
    ${THINGS.map((name) => `import { ${name}Routes } from "./features/${name}/routes";`).join("\n")}
    const app = new Hono();
    ${THINGS.map((name) => `app.route("/api/${name}s", ${name}Routes);`).join("\n")}
    export default app;`,
  ...forEach(
    THINGS,
    "src/features/NAME/routes.ts",
    `
    import { zValidator } from "@hono/zod-validator";
    import { Hono } from "hono";
    import { NAMEInput } from "./schema";
    import { NAMERepository } from "./repository";
    export const NAMERoutes = new Hono()
      .post("/", zValidator("json", NAMEInput), async (c) => {
        const outcome = await NAMERepository.insert(c.req.valid("json"));
        return outcome.match(
          (saved) => c.json({ data: saved }, 201),
          (problem) => c.json({ error: problem.message }, 422),
        );
      })
      .put("/:id", zValidator("json", NAMEInput), async (c) => {
        const outcome = await NAMERepository.replace(c.req.param("id"), c.req.valid("json"));
        if (outcome.isErr()) return c.json({ error: outcome.error.message }, 422);
        return c.json({ data: outcome.value });
      });`,
  ),
  ...forEach(
    THINGS,
    "src/features/NAME/schema.ts",
    'import { z } from "zod";\nexport const NAMEInput = z.object({ title: z.string() });',
  ),
};

/** Express with controllers in separate files, common helpers, and other naming conventions. */
export const controllers: ProjectText = {
  "server/http/respond.ts": `
    import type { Response } from "express";
    export function respond(res: Response, outcome: { isOk(): boolean; value?: unknown; error?: unknown }) {
      if (outcome.isOk()) return res.status(200).json({ success: true, data: outcome.value });
      return res.status(400).json({ success: false, error: outcome.error });
    }`,
  "server/http/validate-body.ts": `
    import type { ZodType } from "zod";
    export function readBody(shape: ZodType, body: unknown) {
      return shape.safeParse(body);
    }`,
  "server/routes.ts": `
    import { Router } from "express";
    ${THINGS.map((name) => `import { store${name} } from "./controllers/${name}.controller";`).join("\n")}
    export const router = Router();
    ${THINGS.map((name) => `router.post("/api/${name}", store${name});`).join("\n")}`,
  ...forEach(
    THINGS,
    "server/controllers/NAME.controller.ts",
    `
    import type { Request, Response } from "express";
    import { respond } from "../http/respond";
    import { readBody } from "../http/validate-body";
    import { NAMEShape } from "../shapes";
    import { NAMEManager } from "../managers/NAME.manager";
    export const storeNAME = async (request: Request, response: Response) => {
      const body = readBody(NAMEShape, request.body);
      if (!body.success) return response.status(400).json({ success: false, error: body.error });
      return respond(response, await NAMEManager.store(body.data));
    };`,
  ),
};

/** A large amount of code without endpoints. */
export const noise: ProjectText = {
  ...forEach(
    ["date", "money", "text", "color", "size"],
    "src/format/format-NAME.ts",
    `
    export function formatName(value: number, locale = "en"): string {
      const parts = new Intl.NumberFormat(locale).formatToParts(value);
      return parts.map((part) => part.value).join("");
    }
    export class NameCache {
      readonly #values = new Map<string, string>();
      get(key: string) { return this.#values.get(key); }
    }`,
  ),
  "src/client/api.ts": `
    import axios from "axios";
    export const saveUser = (user: unknown) => axios.post("/api/users", user);
    export const saveOrder = (order: unknown) => axios.post("/api/orders", order);
    export async function load(id: string) {
      const response = await fetch("/api/users/" + id);
      if (!response.ok) throw new Error("No such user");
      return response.json();
    }`,
  "scripts/migrate.js": "const fs = require('fs');\nfor (const file of fs.readdirSync('.')) console.log(file);",
  "src/broken.ts": "export function half( { if (x ] return }} class {",
};

/** Endpoints with another pattern: they catch errors and render pages. */
export const pages: ProjectText = forEach(
  THINGS,
  "app/NAME-pages.js",
  `
  const express = require("express");
  const router = express.Router();
  router.get("/NAMEs", async (req, res, next) => {
    try {
      const rows = await db.query("select * from NAMEs");
      res.render("NAMEs", { rows });
    } catch (error) {
      next(error);
    }
  });
  module.exports = router;`,
);
