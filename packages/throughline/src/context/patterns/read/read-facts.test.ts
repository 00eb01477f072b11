import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../test/cases.ts";
import type { CodeUnit } from "../code-unit.ts";
import { go, java, python, rust } from "../other-projects.fixture.ts";
import { parseFile } from "../projects.fixture.ts";
import { controllers, express, hono, noise } from "../script-projects.fixture.ts";
import { readFacts } from "./read-facts.ts";

async function unitsIn(path: string, text: string): Promise<readonly CodeUnit[]> {
  return readFacts(await parseFile(path, text)).units;
}

/** The steps of the one piece that has this role. */
async function stepsIn(path: string, text: string, role = "endpoint"): Promise<readonly string[]> {
  const units = (await unitsIn(path, text)).filter((unit) => unit.role === role);
  expect(units).toHaveLength(1);
  return (units[0]?.steps ?? []).filter((step) => !step.startsWith("call="));
}

describe("an endpoint", () => {
  const cases: readonly [name: string, path: string, text: string, steps: readonly string[]][] = [
    [
      "with a chain of routes",
      "a.ts",
      'router.route("/users").post(requireAuth, async (req, res) => { res.json({ id: 1 }); });',
      ["route=POST /users", "auth={check}", "response=json_body"],
    ],
    [
      "of Fastify, as an object",
      "a.js",
      'app.route({ method: "PUT", url: "/users/:id", handler: async (request, reply) => { return { data: 1 }; } });',
      ["route=PUT /users/:id", "response=json_envelope"],
    ],
    [
      "of Next, by where its file stands",
      "app/api/(shop)/users/[id]/route.ts",
      "export async function PATCH(request: Request) { const body = UserSchema.parse(await request.json()); return Response.json({ data: body }); }",
      ["route=PATCH /api/users/[id]", "validation=schema", "response=json_envelope"],
    ],
    [
      "of Nest, by its decorators",
      "users.controller.ts",
      '@Controller("users") @UseGuards(AuthGuard) export class UsersController { @Post(":id") create(@Body() dto: CreateUserDto) { return this.service.create(dto); } }',
      ["route=POST /users/:id", "auth={guard}", "validation=dto_class"],
    ],
    [
      "of Flask",
      "views.py",
      'from flask import jsonify\n@bp.route("/users", methods=["POST"])\n@login_required\ndef create():\n    data = UserSchema().load(request.get_json())\n    return jsonify(data)\n',
      ["route=POST /users", "auth={check}", "validation=schema", "response=json_body"],
    ],
    [
      "of Gin",
      "users.go",
      'package x\nfunc Create(c *gin.Context) {\n if err := c.ShouldBindJSON(&in); err != nil { c.JSON(400, gin.H{"error": err.Error()}); return }\n c.JSON(201, in)\n}',
      ["validation=bound_struct", "error_handling=error_returned", "response=json_body"],
    ],
    [
      "of Actix",
      "users.rs",
      '#[post("/users")]\nasync fn create(body: web::Json<NewUser>) -> Result<HttpResponse, Error> { let user = save(&body).await?; Ok(HttpResponse::Created().json(user)) }',
      ["route=POST /users", "input=serde_body", "error_handling=result_propagated", "response=json_body"],
    ],
    [
      "that hands errors on",
      "a.js",
      'app.get("/x", async (req, res, next) => { try { res.send({ data: await load() }); } catch (e) { next(e); } });',
      ["route=GET /x", "error_handling=try_catch", "error_handling=next_error", "response=json_envelope"],
    ],
  ];
  it.each(cases)("is read: %s", async (_, path, text, steps) => {
    expect(await stepsIn(path, text)).toEqual(steps);
  });

  it("is not detected in client calls, lookups or test servers", async () => {
    const text = `
      axios.post("/users", user);
      const x = cache.get("/users", fallback());
      map.get("/users");
      await request(app).post("/users").send(user);`;
    expect((await unitsIn("a.ts", text)).filter(({ role }) => role === "endpoint")).toEqual([]);
    const app = 'app.get("/x", (c) => c.json({ data: 1 }));';
    expect((await unitsIn("tests/a.test.ts", app)).filter(({ role }) => role === "endpoint")).toEqual([]);
  });

  it("is validated if a schema parses its input, and not if other data is parsed", async () => {
    const text = (code: string) =>
      `import { z } from "zod";\napp.post("/x", (c) => { ${code}; return c.json({ data: 1 }); });`;
    for (const code of ["z.object({}).parse(b)", "userSchema.parse(b)", "CreateUser.parse(b)", "x.safeParse(b)"]) {
      expect(await stepsIn("a.ts", text(code))).toContain("validation=zod_schema");
    }
    for (const code of [
      "JSON.parse(b)",
      "Date.parse(b)",
      "parser.parse(b)",
      "path.parse(b)",
      "b.toString()",
      "b.constructor(1)",
    ]) {
      expect(await stepsIn("a.ts", text(code))).toEqual(["route=POST /x", "response=json_envelope"]);
    }
  });

  it("has a typed result if it inspects a result, and not if it inspects a response", async () => {
    const text = (code: string) => `app.post("/x", async (c) => { ${code} return c.json({ data: 1 }); });`;
    const typed = [
      "const r = await save(); if (!r.ok) return;",
      "const r = await save(); if (r.isErr()) return;",
      "return ok(1);",
      "const found = Result.ok(1);",
    ];
    for (const code of typed) expect(await stepsIn("a.ts", text(code))).toContain("error_handling=typed_result");
    const others = [
      "const r = await fetch(u); if (!r.ok) return;",
      "const p = S.safeParse(b); if (!p.success) return;",
    ];
    for (const code of others) expect(await stepsIn("a.ts", text(code))).not.toContain("error_handling=typed_result");
  });
});

describe("a test", () => {
  it("is read with its runner and assertions", async () => {
    const text =
      'import { it } from "vitest"; describe("x", () => { it.each([1])("adds %s", (n) => { vi.fn(); expect(n).toBe(1); }); });';
    expect(await stepsIn("a.test.ts", text, "test")).toEqual([
      "framework=vitest",
      "structure=describe_blocks",
      "cases=each_table",
      "mock=mocks",
      "assertion=expect",
    ]);
  });
});

describe("a component", () => {
  it("is a function that returns markup", async () => {
    const text =
      "export function Card({ title }: Props) { const [open] = useState(false); return <p>{title}</p>; }\nexport const x = () => 1;";
    expect(await unitsIn("card.tsx", text)).toEqual([
      {
        role: "component",
        name: "Card",
        line: 1,
        lines: 1,
        steps: ["props={Props}", "call=useState", "markup=jsx"],
        header: "function {Name}({ … }: Props)",
      },
    ]);
  });
});

describe("a class", () => {
  it("is read with base class, doc comment and methods", async () => {
    const text =
      "@Injectable()\nexport class A extends Base { constructor() { super(); } run() { go(); } #hidden() {} }";
    const found = (await unitsIn("a.ts", text)).find(({ role }) => role === "class");
    expect(found?.steps).toEqual(["mark=Injectable", "extends=Base", "constructor=super", "method=run"]);
  });
});

describe("a caught error", () => {
  const cases: readonly [text: string, steps: readonly string[]][] = [
    [
      "try { f(); } catch (e) { console.error(e); throw new AppError('no', { cause: e }); }",
      ["log={logger}", "throw=wrapped"],
    ],
    [
      "try { f(); } catch (e) { if (!(e instanceof X)) throw e; return undefined; }",
      ["check={kind}", "throw=rethrown", "return=fallback"],
    ],
    ["try { f(); } catch { throw new Error('no'); }", ["throw=replaced"]],
  ];
  it.each(cases)("is read: %s", async (text, steps) => {
    expect((await unitsIn("a.ts", text)).find(({ role }) => role === "catch")?.steps).toEqual(steps);
  });
});

describe("a constant", () => {
  it("is read with its constructor and the names of its fields", async () => {
    const text = 'package cmd\n\nvar showCmd = &cobra.Command{\n\tUse: "show",\n\tShort: "Show it",\n}\n';
    expect(await unitsIn("show.go", text)).toEqual([
      {
        role: "value",
        name: "showCmd",
        line: 3,
        lines: 4,
        steps: ["value=cobra.Command", "field=Use", "field=Short"],
        of: "cobra.Command",
        header: "var {name} = &cobra.Command",
      },
    ]);
  });
});

describe("middleware", () => {
  const cases: readonly [path: string, text: string][] = [
    ["a.ts", "export const trace = (): Handler => async function trace(c, next) { mark(c); await next(); };"],
    ["a.js", "function trace(req, res, next) { mark(req); next(); }"],
    ["a.go", "package x\nfunc Trace(next http.Handler) http.Handler {\n\treturn wrap(next)\n}\n"],
    ["a.rs", "pub async fn trace(request: Request, next: Next) -> Response { next.run(request).await }"],
  ];
  it.each(cases)("is a function that gets the next handler: %s", async (path, text) => {
    expect((await unitsIn(path, text)).map(({ role }) => role)).toEqual(["middleware"]);
  });

  it("is not a function that passes a value named `next`", async () => {
    const [unit] = await unitsIn("a.ts", "export function walk(list: List) { list.each((one, next) => visit(one)); }");
    expect(unit?.role).toBe("function");
  });
});

describe("a test file", () => {
  it("yields its tests without helpers", async () => {
    const text =
      "class Fake(Transport):\n    def send(self):\n        go()\n\ndef test_it(client):\n    assert client.go()\n";
    expect((await unitsIn("tests/test_a.py", text)).map(({ role }) => role)).toEqual(["test"]);
    const rust = "#[cfg(test)]\nmod tests {\n  fn helper() { go(); }\n  #[test]\n  fn works() { assert!(go()); }\n}";
    expect((await unitsIn("src/a.rs", rust)).map(({ name }) => name)).toEqual(["works"]);
  });

  it("names a fixture once, even if the test calls it", async () => {
    const text = "def test_it(make_shop):\n    shop = make_shop()\n    assert shop\n";
    const [unit] = await unitsIn("tests/test_a.py", text);
    expect(unit?.steps).toEqual(["framework=pytest", "fixture=make_shop", "assertion=assert"]);
  });

  it("with a class that extends TestCase is not a pytest test", async () => {
    const text = "class ShowTest(ShopTestCase):\n    def test_it(self):\n        self.assertTrue(go())\n";
    expect(await stepsIn("shop/tests/test_a.py", text, "test")).toEqual([
      "framework=unittest",
      "extends=ShopTestCase",
      "assertion=self.assert",
    ]);
  });
});

describe("a file outside the project's own code", () => {
  const text = "export class A extends B { run() { go(); } }";

  it.each([
    "examples/shop/src/a.ts",
    "packages/cart/benchmarks/a.ts",
    "docs/snippets/a.ts",
    "src/__fixtures__/a.ts",
    "src/generated/a.ts",
    "shop/migrations/a.ts",
    "src/cart.stories.ts",
  ])("has no pieces: %s", async (path) => {
    expect(await unitsIn(path, text)).toEqual([]);
  });

  it.each(["src/main/java/shop/samples/a.ts", "app/docs/a.ts", "demo.ts"])("is skipped: %s", async (path) => {
    expect(await unitsIn(path, text)).not.toEqual([]);
  });
});

describe("a generated or vendored file", () => {
  it("has no code units", async () => {
    const text = "export class A extends B { run() { go(); } }";
    for (const note of ["// Code generated by tool. DO NOT EDIT.", "/**\n * @generated\n */", "/* Autogenerated */"]) {
      expect(await unitsIn("a.ts", `${note}\n${text}`)).toEqual([]);
    }
    expect(await unitsIn("vendor/x/a.ts", text)).toEqual([]);
    expect(await unitsIn("a.ts", `// Edits what was generated.\n${text}`)).not.toEqual([]);
  });
});

describe("any text", () => {
  const pieces = Object.values({ ...express, ...hono, ...controllers, ...noise, ...python, ...go, ...rust, ...java })
    .flatMap((text) => text.match(/\w+|\s+|[^\w\s]/g) ?? [])
    .slice(0, 4_000);
  const file = fc.constantFrom("a.ts", "a.tsx", "a.js", "a.py", "a.go", "a.rs", "A.java");
  const text = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.array(fc.constantFrom(...new Set(pieces)), { maxLength: 120 }).map((parts) => parts.join("")),
    fc
      .tuple(fc.constantFrom(...Object.values({ ...express, ...python, ...go, ...rust, ...java })), fc.nat(), fc.nat())
      .map(([whole, from, length]) => whole.slice(from % whole.length, (from % whole.length) + (length % 800))),
  );

  it("is read deterministically, as plain data", async () => {
    await fc.assert(
      fc.asyncProperty(file, text, async (path, code) => {
        const facts = readFacts(await parseFile(path, code));
        expect(readFacts(await parseFile(path, code))).toEqual(facts);
        expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
        for (const unit of facts.units) expect(unit.steps.every((step) => /^\w+=/.test(step))).toBe(true);
      }),
      { numRuns: cases(80) },
    );
  });
});
