import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../test/cases.ts";
import { ENDPOINT_FORMS } from "../endpoint-forms.fixture.ts";
import { go, java, python, rust } from "../other-projects.fixture.ts";
import { factsOf, forEach, type ProjectText, patternsOf } from "../projects.fixture.ts";
import { controllers, express, hono, noise, pages } from "../script-projects.fixture.ts";
import { minePatterns } from "./mine-patterns.ts";

const NAMES = ["import", "export", "backup", "doctor", "show"];

async function hintsOf(project: ProjectText): Promise<readonly string[]> {
  return (await patternsOf({ ...project, ...noise })).map(({ hint }) => hint);
}

describe("a project's own conventions", () => {
  it("are found by names: commands", async () => {
    const text = `
      import type { Command } from "commander";
      export function addNameCommand(program: Command): void {
        program.command("NAME").summary("NAME it").argument("<file>").action((file) => runName(file));
      }`;
    const [found] = await patternsOf({ ...forEach(NAMES, "src/NAME-command.ts", text), ...noise });
    expect(found).toMatchObject({
      trigger: "new_command",
      title: "Function add…Command",
      template: {
        file: "src/{name}-command.ts",
        code: "function {name}(program: Command): void",
        calls: "command → summary → argument → action",
      },
      hint: "command: command→summary→argument→action",
      support: { files: 5, of: 5 },
    });
  });

  it("are found by base class: errors", async () => {
    const text = `export class NameError extends AppError {
      constructor(reason: string) { super("NAME", reason); }
      static isInstance(error: unknown): error is NameError { return error instanceof NameError; }
    }`;
    expect(await hintsOf(forEach(NAMES, "errors/NAME.ts", text))).toContain("error: AppError→super→isInstance");
  });

  it("are found in components: shared calls", async () => {
    const text = `export function NamePanel({ id }: Props) {
      const t = useTranslation("NAME");
      const data = useNameQuery(id);
      return <Panel title={t("title")}>{data.text}</Panel>;
    }`;
    expect(await hintsOf(forEach(NAMES, "ui/NAME-panel.tsx", text))).toContain(
      "component: ui/{name}-panel.tsx→useTranslation",
    );
  });

  it("are found in functions that endpoints delegate to", async () => {
    const text =
      'app.get("/NAME", async (req, res) => { const user = await loadVisitor(req); await auditVisit(user); res.json(user); });';
    expect(await hintsOf(forEach(NAMES, "api/NAME.js", text))).toContain("endpoint: route→loadVisitor→auditVisit→json");
  });

  it("are found in constants with the same fields: commands of a program", async () => {
    const text = `package cmd

var NAMECmd = &cobra.Command{
	Use:   "NAME",
	Short: "NAME it",
	RunE:  runName,
}
`;
    const found = (await patternsOf(forEach(NAMES, "cmd/shop/NAME.go", text))).find(({ key }) =>
      key.startsWith("value"),
    );
    expect(found).toMatchObject({
      title: "Command",
      trigger: "new_command",
      template: { file: "cmd/shop/{name}.go", code: "var {name} = &cobra.Command", fields: "Use → Short → RunE" },
      hint: "command: Use→Short→RunE",
    });
  });

  it("are found in implementations of a trait, even in one file", async () => {
    const flags = ["Color", "Count", "Depth", "Hidden", "Quiet", "Sort"].map(
      (name) => `impl Flag for ${name} {\n  fn name(&self) -> &str { "x" }\n  fn update(&self) { go(); }\n}\n`,
    );
    const [found] = await patternsOf({ "src/flags.rs": flags.join("\n") });
    expect(found).toMatchObject({
      title: "Implementation of Flag",
      template: { file: "src/flags.rs", code: "impl Flag for {Name}", methods: "name → update" },
      examples: [{ path: "src/flags.rs" }, { path: "src/flags.rs" }],
    });
  });

  it("are found in middleware, with the place of its files", async () => {
    const text = `export const NAME = (options?: NameOptions): Handler => {
      return async function NAME(c, next) { await next(); c.header("x-NAME", "1"); };
    };`;
    const found = (await patternsOf(forEach(NAMES, "src/middleware/NAME/index.ts", text)))[0];
    expect(found?.template).toMatchObject({
      file: "src/middleware/{name}/index.ts",
      code: "const {name} = (options?: {Name}Options): Handler",
    });
  });

  it("are not found for names with a common word in different positions", async () => {
    const text = "export function loadNameThing() { openDoor(); takeChair(); pourTea(); }";
    const places = NAMES.map((name, i) => [
      `src/part${i}/deep${i}/${name}${i}.ts`,
      text.replace("Name", `${name}${i}`),
    ]);
    expect((await patternsOf(Object.fromEntries(places))).filter(({ key }) => key.startsWith("function"))).toEqual([]);
  });

  it("exclude examples, benchmarks and test helpers", async () => {
    const text = "export class NameRoute extends BaseRoute { match() { a(); } build() { b(); } }";
    const test =
      'import { it, expect } from "vitest";\nit("works", () => { expect(new NameRoute().match()).toBe(1); });';
    const files = {
      ...forEach(NAMES, "examples/NAME.ts", text),
      ...forEach(NAMES, "benchmarks/NAME.ts", text),
      ...forEach(NAMES, "tests/NAME.ts", `${text}\n${test}`),
    };
    expect((await patternsOf(files)).map(({ trigger }) => trigger)).toEqual(["new_test"]);
  });

  it("show recently changed examples in the usual folder, and not the longest ones", async () => {
    const text = "export class NameJob extends QueueJob {\n  run() {\n    return a();\n  }\n  retry() { b(); }\n}";
    const long = text.replace("return a();", "a();\n".repeat(80));
    const files = { ...forEach(NAMES, "src/jobs/NAME.ts", text), ...forEach(["aaa"], "src/jobs/NAME.ts", long) };
    const facts = await factsOf({ ...files, ...forEach(["aab"], "src/other/NAME.ts", text) });
    const [plain] = minePatterns(facts);
    expect(plain?.examples.map(({ path }) => path)).toEqual(["src/jobs/backup.ts", "src/jobs/doctor.ts"]);
    const [recent] = minePatterns(facts, new Set(["src/jobs/show.ts"]));
    expect(recent?.examples[0]?.path).toBe("src/jobs/show.ts");
  });

  it("count copies of the same code once", async () => {
    const text = "export class Cart extends Base { constructor() { super(); } fill() { a(); } empty() { b(); } }";
    const copies = forEach(["src", "dist", "lib", "esm"], "NAME/cart.js", text);
    expect((await patternsOf(copies)).filter(({ key }) => key.startsWith("class"))).toEqual([]);
  });

  it("are not found if all code differs", async () => {
    expect(await patternsOf(noise)).toEqual([]);
  });
});

describe("every pattern (property)", () => {
  const forms = Object.values(ENDPOINT_FORMS).map(([path, text]) => forEach(NAMES, path, text));
  const projects = [express, hono, controllers, pages, noise, python, go, rust, java, ...forms];

  it("has consistent parts, text, locations and counts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(projects, { minLength: 1, maxLength: 4 }), async (chosen) => {
        const files: ProjectText = Object.assign({}, ...chosen);
        for (const { template, hint, examples, support, confidence, trigger } of await patternsOf(files)) {
          expect(hint).toMatch(/^\w+: \S+(?:→\S+)*$/);
          const listed = Object.values(template).flatMap((value) => value.split(" → "));
          expect(hint.split("→").length).toBeLessThanOrEqual(listed.length);
          expect(Object.values(template)).not.toContain("");
          expect(trigger).toMatch(/^[a-z]+(?:_\w+)+$/);
          expect(examples.length).toBeGreaterThan(0);
          for (const { path, line } of examples) expect(files[path]?.split("\n").length).toBeGreaterThanOrEqual(line);
          expect(support.files).toBeLessThanOrEqual(support.of);
          expect(confidence > 0 && confidence < 1).toBe(true);
        }
      }),
      { numRuns: cases(25) },
    );
  });
});
