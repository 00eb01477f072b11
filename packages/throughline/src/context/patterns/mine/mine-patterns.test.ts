import { describe, expect, it } from "vitest";
import type { CodePattern } from "../code-unit.ts";
import { ENDPOINT_FORMS } from "../endpoint-forms.fixture.ts";
import { go, java, python, rust } from "../other-projects.fixture.ts";
import { forEach, type ProjectText, patternsOf } from "../projects.fixture.ts";
import { controllers, express, hono, noise, pages } from "../script-projects.fixture.ts";

async function endpointOf(project: ProjectText): Promise<CodePattern | undefined> {
  return (await patternsOf(project)).find(({ trigger }) => trigger === "new_endpoint");
}

const WANTED = {
  title: "API endpoint",
  trigger: "new_endpoint",
  template: {
    route: "{method} /api/{resource}",
    validation: "zod_schema",
    error_handling: "typed_result",
    response: "json_envelope",
  },
  hint: "endpoint: route→zod→result→json",
};

describe("a project whose endpoints go route, zod, result, JSON", () => {
  it.each(Object.entries({ express, hono }))("has that pattern: %s", async (_, project) => {
    expect(await endpointOf(project)).toMatchObject(WANTED);
    expect(await endpointOf({ ...project, ...noise })).toMatchObject(WANTED);
  });

  it("has it if handlers and helpers are in other files under other names", async () => {
    const found = await endpointOf({ ...controllers, ...noise });
    expect(found).toMatchObject(WANTED);
    expect(found?.examples[0]).toEqual({ path: "server/controllers/invoice.controller.ts", line: 7 });
  });

  it.each(Object.entries(ENDPOINT_FORMS))("has it with other names: %s", async (_, [path, text]) => {
    const names = ["user", "order", "invoice", "product"];
    const found = await endpointOf({ ...forEach(names, path, text), ...noise });
    const { auth, ...template } = found?.template ?? {};
    expect({ ...found, template }).toMatchObject({ title: WANTED.title, template: WANTED.template });
    if (auth === undefined) expect(found?.hint).toBe(WANTED.hint);
    else expect(found?.hint).toBe("endpoint: route→auth→zod→result→json");
  });

  it("has locations, support and confidence", async () => {
    const found = await endpointOf({ ...express, ...noise });
    expect(found?.examples).toEqual(["invoice", "order"].map((name) => ({ path: `src/routes/${name}s.ts`, line: 7 })));
    expect(found?.support).toEqual({ files: 4, of: 4 });
    expect(found?.confidence).toBeGreaterThan(0.3);
  });
});

describe("a project with a different pattern", () => {
  it("has that pattern only", async () => {
    expect(await endpointOf({ ...pages, ...noise })).toMatchObject({
      title: "Web endpoint",
      template: { route: "{method} /{resource}", error_handling: "next_error", response: "html_view" },
    });
  });

  it("has no endpoint pattern without endpoints", async () => {
    expect(await endpointOf(noise)).toBeUndefined();
    expect(await patternsOf({})).toEqual([]);
  });
});

describe("a project in another language", () => {
  const cases = [
    ["Python", python, "endpoint: route→pydantic→depends→exception→model", "test: pytest→parametrized→http→assert"],
    ["Go", go, "endpoint: route→decoded→err→json", "test: go→table→t.Errorf"],
    ["Rust", rust, "endpoint: route→serde→result→json", "test: tokio→state→input→assert!"],
    ["Java", java, "endpoint: route→bean→entity", "test: junit→mockito→view→input→getBody→assertThat"],
  ] as const;

  it.each(cases)("has its endpoints and its tests: %s", async (_, project, endpoint, test) => {
    const hints = (await patternsOf(project)).map(({ hint }) => hint);
    expect(hints).toContain(endpoint);
    expect(hints).toContain(test);
  });

  it("includes its error handling", async () => {
    const found = (await patternsOf(go)).find(({ trigger }) => trigger === "handle_error");
    expect(found?.template).toEqual({ check: "err != nil", return: "fmt.Errorf({context}: %w, err)" });
  });

  it("names the language if a project has several", async () => {
    const all = await patternsOf({ ...python, ...go, ...express });
    const titles = all.filter(({ trigger }) => trigger === "new_endpoint").map(({ title }) => title);
    expect(titles.sort()).toEqual(["Go API endpoint", "Python API endpoint", "TypeScript API endpoint"]);
  });
});
