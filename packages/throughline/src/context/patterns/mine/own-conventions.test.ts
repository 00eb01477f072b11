import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../test/cases.ts";
import { ENDPOINT_FORMS } from "../endpoint-forms.arbitrary.ts";
import { go, java, python, rust } from "../other-projects.arbitrary.ts";
import { forEach, type ProjectText, patternsOf } from "../projects.arbitrary.ts";
import { controllers, express, hono, noise, pages } from "../script-projects.arbitrary.ts";

const NAMES = ["import", "export", "backup", "doctor", "show"];

async function hintsOf(project: ProjectText): Promise<readonly string[]> {
  return (await patternsOf({ ...project, ...noise })).map(({ hint }) => hint);
}

describe("a project's own conventions", () => {
  it("are found by the names that it gives: commands", async () => {
    const text = `
      import type { Command } from "commander";
      export function addNameCommand(program: Command): void {
        program.command("NAME").summary("NAME it").argument("<file>").action((file) => runName(file));
      }`;
    const [found] = await patternsOf({ ...forEach(NAMES, "src/NAME-command.ts", text), ...noise });
    expect(found).toMatchObject({
      trigger: "new_command",
      title: "Add command",
      template: { command: "command({args})", action: "action({args})" },
      hint: "command: command→summary→argument→action",
      support: { files: 5, of: 5 },
    });
  });

  it("are found by what is extended: errors", async () => {
    const text = `export class NameError extends AppError {
      constructor(reason: string) { super("NAME", reason); }
      static isInstance(error: unknown): error is NameError { return error instanceof NameError; }
    }`;
    expect(await hintsOf(forEach(NAMES, "errors/NAME.ts", text))).toContain("error: app_error→constructor→is_instance");
  });

  it("are found in components: what all of them use", async () => {
    const text = `export function NamePanel({ id }: Props) {
      const t = useTranslation("NAME");
      const data = useNameQuery(id);
      return <Panel title={t("title")}>{data.text}</Panel>;
    }`;
    expect(await hintsOf(forEach(NAMES, "ui/NAME-panel.tsx", text))).toContain("component: props→use_translation→jsx");
  });

  it("are found in what endpoints call, where they do little else", async () => {
    const text =
      'app.get("/NAME", async (req, res) => { const user = await loadVisitor(req); await auditVisit(user); res.json(user); });';
    expect(await hintsOf(forEach(NAMES, "api/NAME.js", text))).toContain(
      "endpoint: route→load_visitor→audit_visit→json",
    );
  });

  it("are none where code is there several times: copies of a piece are that piece", async () => {
    const text = "export class Cart extends Base { constructor() { super(); } fill() { a(); } empty() { b(); } }";
    const copies = forEach(["src", "dist", "lib", "esm"], "NAME/cart.js", text);
    expect((await patternsOf(copies)).filter(({ key }) => key.startsWith("class"))).toEqual([]);
  });

  it("are none where everything is different", async () => {
    expect(await patternsOf(noise)).toEqual([]);
  });
});

describe("every pattern", () => {
  const forms = Object.values(ENDPOINT_FORMS).map(([path, text]) => forEach(NAMES, path, text));
  const projects = [express, hono, controllers, pages, noise, python, go, rust, java, ...forms];

  it("has parts, a line, places and numbers that fit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(projects, { minLength: 1, maxLength: 4 }), async (chosen) => {
        const files: ProjectText = Object.assign({}, ...chosen);
        for (const { template, hint, examples, support, confidence, trigger } of await patternsOf(files)) {
          expect(hint).toMatch(/^\w+: \S+(?:→\S+)*$/);
          expect(hint.split("→").length).toBeLessThanOrEqual(Object.keys(template).length);
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
