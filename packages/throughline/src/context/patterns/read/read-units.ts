import { omitUndefined } from "../../../internal/json.ts";
import type { SyntaxNode } from "../../../ports/workspace.ts";
import type { CodeUnit, Role, Step } from "../code-unit.ts";
import { recognizeAuth, recognizeResponse, recognizeValidation, signatureSteps } from "./endpoint-steps.ts";
import { recognizeErrorHandling, returnsResult } from "./error-handling.ts";
import { type ClassCode, type FunctionCode, readParameters, type ValueCode } from "./find-definitions.ts";
import { isRouteMark, markedRoute, type Route } from "./find-routes.ts";
import { type CodeEvent, type CodeFlow, isScript, type Recognizer, readFlow, type Scope } from "./read-events.ts";
import {
  argumentsOf,
  CALLS,
  codeChildren,
  descendants,
  FUNCTIONS,
  isTrivialCall,
  LAMBDAS,
  part,
  pathOf,
  stringValue,
} from "./syntax-nodes.ts";
import { isTestFunction, recognizeTesting, testFrame } from "./test-steps.ts";

export interface UnitContext {
  readonly path: string;
  readonly language: string;
  readonly packages: readonly string[];
  readonly isTest: boolean;
  /** True if its tests are in `describe` blocks. */
  readonly describes: boolean;
  /** True for nodes that are units of their own, not part of the surrounding one. */
  readonly isApart: (node: SyntaxNode) => boolean;
}

export function routeUnit({ node, method, path, code, names }: Route, context: UnitContext): CodeUnit {
  const lambda = code.flatMap((one) => descendants(one)).findLast(({ type }) => LAMBDAS.has(type));
  const parameters = lambda === undefined ? [] : readParameters(lambda).map(({ name }) => name);
  const done = stepsOf(readFlow(code, context.isApart), { ...context, role: "endpoint", parameters });
  const guard = names.slice(0, lambda === undefined ? -1 : names.length).some(recognizeAuth);
  const handler = lambda === undefined ? names.at(-1) : undefined;
  const steps: Step[] = [
    `route=${method} ${path}`,
    ...(guard ? (["auth={check}"] as const) : []),
    ...done,
    ...(handler === undefined ? [] : ([`handler=${handler}`] as const)),
  ];
  return { role: "endpoint", name: handler ?? `${method} ${path}`, ...extent(node), steps: inOrder(steps) };
}

/** Unit of a test that is a call: `it("adds", () => …)`. */
export function testUnit(call: SyntaxNode, context: UnitContext): CodeUnit {
  const args = argumentsOf(call);
  const done = stepsOf(
    readFlow(args.slice(1), (node) => node !== call && context.isApart(node)),
    { ...context, role: "test", parameters: [] },
  );
  const each = /^\w+\.(?:each|for)\b/.test(call.text) ? (["cases=each_table"] as const) : [];
  const frame: Step[] = [
    ...testFrame(undefined, context.language, context.packages),
    ...(context.describes ? (["structure=describe_blocks"] as const) : []),
    ...each,
  ];
  return { role: "test", name: stringValue(args[0]) ?? "", ...extent(call), steps: inOrder([...frame, ...done]) };
}

export function functionUnit(code: FunctionCode, context: UnitContext): CodeUnit {
  const role = roleOf(code, context);
  const parameters = code.parameters.map(({ name }) => name);
  const flow = readFlow(code.body, (node) => node !== code.node && context.isApart(node));
  const done = stepsOf(flow, { ...context, role, parameters });
  const steps = [...frameOf(code, role, context), ...done, ...(role === "component" ? (["markup=jsx"] as const) : [])];
  const { name, node, owner, body } = code;
  const header =
    role === "test" ? undefined : headerOf(node, CALLS.has(body[0]?.type ?? "") ? undefined : body[0], name);
  return omitUndefined({ role, name, ...extent(node), steps: inOrder(steps), of: owner?.name, header });
}

function extent({ line, text }: SyntaxNode): Pick<CodeUnit, "line" | "lines"> {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return { line, lines };
}

export function classUnit(code: ClassCode): CodeUnit {
  return omitUndefined({
    role: "class" as const,
    name: code.name,
    ...extent(code.node),
    steps: classSteps(code),
    of: code.base,
    header: headerOf(code.node, part(code.node, "body"), code.name),
  });
}

export function valueUnit({ name, node, maker, fields }: ValueCode): CodeUnit {
  const steps: Step[] = [`value=${maker}`, ...fields.map((field): Step => `field=${field}`)];
  return omitUndefined({
    role: "value" as const,
    name,
    ...extent(node),
    steps,
    of: maker,
    header: headerOf(node, undefined, name),
  });
}

/** Steps from a function's surroundings: framework, route, decorators and signature. */
function frameOf(code: FunctionCode, role: Role, { path, language, packages }: UnitContext): readonly Step[] {
  switch (role) {
    case "test":
      return testFrame(code, language, packages);
    case "endpoint": {
      const route = markedRoute(code) ?? fileRoute(code, path);
      const marked = code.marks.some(({ path: names }) => recognizeAuth(names.join(".")));
      return [
        ...(route === undefined ? [] : ([`route=${route.method} ${route.path}`] as const)),
        ...(marked ? (["auth={check}"] as const) : []),
        ...markSteps(code),
        ...signatureSteps(code, language, packages),
      ];
    }
    case "middleware":
      return ["next={next}"];
    case "component":
      return code.parameters.length > 0 ? ["props={Props}"] : [];
    default:
      return [
        ...markSteps(code),
        ...(returnsResult(code.returns) && isScript({ language }) ? (["error_handling=typed_result"] as const) : []),
      ];
  }
}

/** Decorators that any program has, or that other steps contain. */
const COMMON_MARKS =
  /^(?:Override|staticmethod|classmethod|property|setter|overload|abstractmethod|override|inline|must_use|allow|expect|cfg|cfg_attr|doc|deprecated|derive|SuppressWarnings|path|route|api_route)$/;

/** Decorators of a function, except those of its route. */
function markSteps({ marks }: FunctionCode): readonly Step[] {
  const names = marks.map(({ path }) => path.at(-1) ?? "");
  return names
    .filter((name) => name !== "" && !COMMON_MARKS.test(name) && !isRouteMark(name) && !recognizeAuth(name))
    .map((name): Step => `mark=${name}`);
}

function roleOf(code: FunctionCode, { path, language, isTest }: UnitContext): Role {
  if (isTestFunction(code, language)) return "test";
  if (isTest) return "function";
  if (markedRoute(code) !== undefined || fileRoute(code, path) !== undefined || isHandler(code, language))
    return "endpoint";
  if (isMiddleware(code, language)) return "middleware";
  return isComponent(code, language) ? "component" : "function";
}

/** Files whose exported functions are endpoints, in Next.js and SvelteKit. */
const ROUTE_FILE = /(?:^|\/)(?:app\/(.*?)\/?route|routes\/(.*?)\/?\+server)\.[jt]sx?$/;
const PAGE_FILE = /(?:^|\/)pages\/(api\/.*?)(?:\/index)?\.[jt]sx?$/;

/** Route of a function by its file: `app/api/users/route.ts` exports `GET`. */
function fileRoute(
  { name, parameters }: FunctionCode,
  file: string,
): { readonly method: string; readonly path: string } | undefined {
  const page = PAGE_FILE.exec(file)?.[1];
  if (page !== undefined) return parameters.length === 2 ? { method: "*", path: `/${page}` } : undefined;
  const [, app, routes] = ROUTE_FILE.exec(file) ?? [];
  const folder = app ?? routes;
  if (folder === undefined || !/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(name)) return undefined;
  return { method: name, path: `/${folder.replace(/\([^()]*\)\/?/g, "")}` };
}

const GO_HANDLER = /\bhttp\.ResponseWriter\b|\bgin\.Context\b|\becho\.Context\b|\bfiber\.Ctx\b/;
const RUST_EXTRACTOR = /^(?:\w+::)*(?:Json|State|Path|Query|Form|Extension)</;

/** True for a function with the parameters of a request handler. Middleware that calls `next()` is not a handler. */
function isHandler({ name, owner, parameters, body }: FunctionCode, language: string): boolean {
  const types = parameters.map(({ type }) => type);
  if (language === "go") return types.some((type) => GO_HANDLER.test(type));
  if (language === "rust") return types.some((type) => RUST_EXTRACTOR.test(type));
  const names = parameters.map(({ name }) => name).filter((name) => name !== "self");
  if (language === "python") return names[0] === "request" && isView(types, name, owner !== undefined);
  if (!isScript({ language })) return false;
  const handsOn = names.length === 3 && body.some(({ text }) => /\bnext\(\)/.test(text));
  return /^_?req(?:uest)?$/.test(names[0] ?? "") && /^(?:res|response|reply)$/.test(names[1] ?? "") && !handsOn;
}

/** A Python view: a function that takes a request, or a class-based view's method for an HTTP method. */
function isView(types: readonly string[], name: string, isMethod: boolean): boolean {
  return isMethod ? /^(?:get|post|put|patch|delete)$/.test(name) : types.some((type) => /Request$/.test(type));
}

const GO_MIDDLEWARE = /\bhttp\.Handler\b|\bMiddlewareFunc\b|\bgin\.HandlerFunc\b|\bfiber\.Handler\b/;

/** True for a function that wraps a handler, or that gets the next handler as a parameter. */
function isMiddleware({ parameters, returns, body, owner }: FunctionCode, language: string): boolean {
  const types = parameters.map(({ type }) => type);
  if (language === "go")
    return (
      GO_MIDDLEWARE.test(returns) && (/^func\b|Middleware|gin|fiber/.test(returns) || types.includes("http.Handler"))
    );
  if (language === "rust") return types.some((type) => /^(?:\w+::)*Next$/.test(type));
  if (!isScript({ language }) || owner !== undefined) return false;
  const inner = body.flatMap(returnedFunctions);
  return [parameters, ...inner.map(readParameters)].some(takesNext) && body.some(({ text }) => /\bnext\(/.test(text));
}

function returnedFunctions(body: SyntaxNode): readonly SyntaxNode[] {
  const returned = codeChildren(body).filter(({ type }) => type === "return_statement");
  return [body, ...returned.flatMap(codeChildren)].filter(({ type }) => LAMBDAS.has(type));
}

function takesNext(parameters: FunctionCode["parameters"]): boolean {
  return parameters.length > 1 && parameters.length < 5 && parameters.slice(1).some(({ name }) => name === "next");
}

function isComponent({ name, body }: FunctionCode, language: string): boolean {
  const mayBe = (language === "tsx" || language === "javascript") && /^[A-Z]/.test(name);
  return (
    mayBe &&
    body.some((one) =>
      descendants(one).some(({ type }) => /^jsx_(?:element|self_closing_element|fragment)$/.test(type)),
    )
  );
}

function classSteps({ node, base, marks }: ClassCode): readonly Step[] {
  const body = part(node, "body");
  const methods = [...(body === undefined ? [] : descendants(body, ({ type }) => !FUNCTIONS.has(type)))]
    .filter(({ type }) => FUNCTIONS.has(type) || type === "constructor_declaration")
    .map((method) => ({ name: part(method, "name")?.text ?? "", method }))
    // Private methods and special names are not part of its interface.
    .filter(({ name }) => name === "__init__" || name === "__call__" || /^[\p{L}$][\p{L}\p{N}_$]*$/u.test(name));
  const constructs = methods.some(({ name, method }) => isConstructor(name, method.type) && callsSuper(method));
  return [
    ...marks.map(({ path }): Step => `mark=${path.at(-1) ?? ""}`),
    ...(base === undefined ? [] : ([`extends=${base}`] as const)),
    ...(constructs ? (["constructor=super"] as const) : []),
    ...methods
      .filter(({ name, method }) => !isConstructor(name, method.type))
      .map(({ name }): Step => `method=${name}`),
  ];
}

function isConstructor(name: string, type: string): boolean {
  return name === "constructor" || name === "__init__" || type === "constructor_declaration";
}

function callsSuper(method: Parameters<typeof descendants>[0]): boolean {
  return descendants(method).some((node) => CALLS.has(node.type) && pathOf(node).includes("super"));
}

/** Longer headers show details of one unit. */
const MAX_LENGTH = 140;
/** Keywords that precede a declaration's own node. */
const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["variable_declarator", "const "],
  ["var_spec", "var "],
]);

/**
 * Text of a definition before its body, with placeholders for its name: `def {name}(request: HttpRequest) -> Response`.
 * Undefined if it is long.
 */
function headerOf(node: SyntaxNode, body: SyntaxNode | undefined, name: string): string | undefined {
  const whole = node.text;
  const isEnd = body !== undefined && body !== node && whole.endsWith(body.text);
  const line = whole.indexOf("\n");
  const head = isEnd ? whole.slice(0, -body.text.length) : line === -1 ? whole : whole.slice(0, line);
  if (head.length > 2 * MAX_LENGTH || name === "") return undefined;
  const plain = head
    .replace(/\s+/g, " ")
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '"…"')
    .replace(/([([]) | ?,? ([)\]])/g, "$1$2")
    .trim()
    .replace(/\s*(?:\{|:|=>|=|\()$/, "");
  const declared = `${KEYWORDS.get(node.type) ?? ""}${plain.replace(/\(\{[^{}]*\}/, "({ … }")}`;
  return declared.length > MAX_LENGTH || plain === "" ? undefined : withPlaceholder(declared, name);
}

/** Replaces a name, also at the start of other names: `showProps` and `ShowProps`. */
function withPlaceholder(text: string, name: string): string {
  const [first, rest] = [name.slice(0, 1), name.slice(1)];
  return text.replace(/[\p{L}_$][\p{L}\p{N}_$]*/gu, (word) => {
    const isName = word === name || (name.length > 2 && word.slice(1).startsWith(rest));
    const isSame = isName && word.slice(0, 1).toLowerCase() === first.toLowerCase();
    if (!isSame) return word;
    return (/^\p{Lu}/u.test(word) ? "{Name}" : "{name}") + word.slice(name.length);
  });
}

/** Maximum number of steps of a unit. */
const MAX_STEPS = 60;

const RECOGNIZERS: readonly Recognizer[] = [
  recognizeTesting,
  recognizeValidation,
  recognizeResponse,
  recognizeErrorHandling,
];

interface StepContext {
  readonly language: string;
  readonly role: Role;
  readonly packages: readonly string[];
  readonly parameters: readonly string[];
}

/** Steps of a flow of events, each once, in order. */
function stepsOf({ events, bound }: CodeFlow, context: StepContext): readonly Step[] {
  const scope: Scope = { ...context, bound };
  return inOrder(events.flatMap((event) => stepOf(event, scope) ?? []));
}

function stepOf(event: CodeEvent, scope: Scope): Step | undefined {
  for (const recognize of RECOGNIZERS) {
    const step = recognize(event, scope);
    if (step !== undefined) return step;
  }
  if (event.kind !== "call") return undefined;
  const name = event.path.at(-1) ?? "";
  // A call of a fixture is the fixture.
  if (scope.role === "test" && event.path.length === 1 && scope.parameters.includes(name)) return undefined;
  if (scope.role === "endpoint" && event.path.length === 1 && recognizeAuth(name)) return "auth={check}";
  return isTrivialCall(name) ? undefined : `call=${calledName(event.path, scope)}`;
}

/** `repo.save` of a module or type, but `save` of a local value. */
function calledName(path: readonly string[], { bound, parameters }: Scope): string {
  const [root = "", name = ""] = path;
  const isNamed =
    path.length === 2 && /^[\p{L}_]\w*$/u.test(root) && !/^(?:this|self|cls|super|crate|Self)$/.test(root);
  return isNamed && !bound.has(root) && !parameters.includes(root) ? `${root}.${name}` : (path.at(-1) ?? "");
}

/** Steps in the order of their first occurrence, with one response at the end. */
export function inOrder(steps: readonly Step[]): readonly Step[] {
  const answers = steps.filter((step) => step.startsWith("response="));
  const others = steps.filter((step) => !step.startsWith("response="));
  const answer = answers.find((step) => step === "response=json_envelope") ?? answers.at(-1);
  return [...new Set(others)].slice(0, MAX_STEPS).concat(answer ?? []);
}
