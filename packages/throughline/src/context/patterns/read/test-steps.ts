import type { Step } from "../code-unit.ts";
import type { FunctionCode } from "./find-definitions.ts";
import { isScript, type Recognizer } from "./read-events.ts";

const FRAMEWORKS: readonly (readonly [name: string, packages: RegExp])[] = [
  ["vitest", /^vitest(?:\/config)?$/],
  ["jest", /^@jest\/globals$|^jest$/],
  ["node_test", /^node:test$/],
  ["bun_test", /^bun:test$/],
  ["playwright", /^@playwright\/test$/],
  ["mocha", /^(?:mocha|chai)$/],
  ["ava", /^ava$/],
  ["junit", /^org\.junit\b/],
];

/** Test framework that most files of a project import. */
export function mainFramework(files: readonly (readonly string[])[]): string | undefined {
  const found = [
    ...Map.groupBy(
      files.flatMap((packages) => frameworkOf(packages) ?? []),
      (name) => name,
    ),
  ];
  return found.sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))[0]?.[0];
}

function frameworkOf(packages: readonly string[]): string | undefined {
  return FRAMEWORKS.find(([, pattern]) => packages.some((name) => pattern.test(name)))?.[0];
}

/** Common paths and names of test files. */
const TEST_FILE =
  /(?:^|\/)(?:[\w-]+[-_])?(?:tests?|__tests__|specs?|e2e|integration|testing|test[-_](?:utils?|helpers?|support))\/|[._-](?:test|spec)\.[a-z]+$|_test\.go$|(?:^|[/_-])test_?-?(?:utils?|helpers?)\.[a-z]+$|(?:^|\/)(?:test_[^/]*|tests?|conftest)\.(?:py|rs)$|(?:Tests?|IT)\.java$/;

export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path);
}

const RUNNERS: ReadonlySet<string> = new Set(["it", "test"]);

/** True if a call is a test: `it("adds", () => …)`, `test.each(table)("adds %s", …)`. */
export function isTestCall(path: readonly string[], argumentTypes: readonly string[]): boolean {
  return (
    RUNNERS.has(path[0] ?? "") &&
    argumentTypes.length > 1 &&
    argumentTypes.slice(1).some((type) => /function/.test(type))
  );
}

/** True if a function is a test, by its name or its decorators. */
export function isTestFunction({ name, marks, parameters }: FunctionCode, language: string): boolean {
  if (language === "python") return /^test_/.test(name);
  if (language === "go") return /^Test[A-Z_]/.test(name) && parameters.some(({ type }) => type === "*testing.T");
  return marks.some(({ path }) => /^(?:test|Test|ParameterizedTest|rstest|test_case)$/.test(path.at(-1) ?? ""));
}

/** Base classes of test classes that any project has. */
const STANDARD_CASES = /^(?:TestCase|SimpleTestCase|IsolatedAsyncioTestCase)$/;
const DEFAULTS: Readonly<Record<string, string>> = { go: "go_test", rust: "cargo_test" };

export function testFrame(
  code: FunctionCode | undefined,
  language: string,
  packages: readonly string[],
): readonly Step[] {
  const base = code?.owner?.base;
  const isUnittest = language === "python" && base !== undefined && /TestCase$/.test(base);
  const named = isUnittest ? "unittest" : language === "python" ? "pytest" : frameworkOf(packages);
  const marks = code?.marks.map(({ path }) => path.join(".")) ?? [];
  const framework = named ?? (marks.some((mark) => /^(?:tokio|actix\w*)\./.test(mark)) ? "tokio" : DEFAULTS[language]);
  const isTable = marks.some((mark) => /parametrize|ParameterizedTest|test_case|rstest/.test(mark));
  const fixtures =
    language === "python" ? (code?.parameters ?? []).filter(({ name }) => name !== "self" && name !== "") : [];
  return [
    ...(framework === undefined ? [] : ([`framework=${framework}`] as const)),
    ...(isTable ? (["cases=parametrized"] as const) : []),
    ...(base !== undefined && !STANDARD_CASES.test(base) ? ([`extends=${base}`] as const) : []),
    ...(isTable ? [] : fixtures.map(({ name }): Step => `fixture=${name}`)),
  ];
}

const SCRIPT: readonly Rule[] = [
  [/^(?:fc|fastCheck)\.(?:assert|property|asyncProperty)$/, "cases=property_based"],
  [/^(?:it|test|describe)\.(?:each|for)/, "cases=each_table"],
  [
    /^(?:request|supertest)\.(?:get|post|put|patch|delete)$|\.inject$|^(?:app|server)\.request$/,
    "request=http_request",
  ],
  [/^(?:render|renderHook|screen\.\w+|mount|shallow)$/, "render=rendered_component"],
  [/^(?:vi|jest|sinon)\.(?:fn|mock|spyOn|stub|spy)|^mock\.(?:fn|method)/, "mock=mocks"],
  [/^expect(?:\.|$)/, "assertion=expect"],
  [/^assert(?:\.|$)/, "assertion=assert"],
  [/^t\.assert\./, "assertion=t.assert"],
];
const OF_LANGUAGE: Readonly<Record<string, readonly Rule[]>> = {
  python: [
    [/^(?:\w*client)\.(?:get|post|put|patch|delete)$/, "request=http_request"],
    [/^(?:patch|Mock|MagicMock|AsyncMock|mocker|monkeypatch)\b/, "mock=mocks"],
    [/^pytest\.raises$|^self\.assertRaises/, "failure=raises"],
    [/^assert$/, "assertion=assert"],
    [/^self\.assert/, "assertion=self.assert"],
  ],
  go: [
    [/^httptest\./, "request=httptest_recorder"],
    [/\.Run$/, "cases=table_driven"],
    [/^(?:assert|require)\./, "assertion=testify"],
    [/^\w+\.(?:Errorf|Fatalf|Error|Fatal)$/, "assertion=t.Errorf"],
  ],
  rust: [[/^(?:debug_)?assert(?:_eq|_ne|_matches)?$/, "assertion=assert!"]],
  java: [
    [/^\w*[mM]vc\.perform$|^given\.|^webTestClient\./, "request=http_request"],
    [/^(?:Mockito\.)?(?:when|verify|mock|given)\b/, "mock=mockito"],
    [/^(?:Assertions\.)?assertThat\b/, "assertion=assertThat"],
    [/^(?:Assertions\.)?assert[A-Z]/, "assertion=assertEquals"],
  ],
};

export const recognizeTesting: Recognizer = (event, scope) => {
  if (event.kind !== "call" || scope.role !== "test") return undefined;
  const name = event.path.join(".");
  const rules = isScript(scope) ? SCRIPT : (OF_LANGUAGE[scope.language] ?? []);
  return rules.find(([pattern]) => pattern.test(name))?.[1];
};

type Rule = readonly [calls: RegExp, step: Step];
