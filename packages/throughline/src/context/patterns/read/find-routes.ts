import type { SyntaxNode } from "../../../ports/workspace.ts";
import type { FunctionCode, Mark } from "./find-definitions.ts";
import { argumentsOf, CALLS, codeChildren, descendants, LAMBDAS, part, pathOf, stringValue } from "./syntax-nodes.ts";

/** Registration of an endpoint: method, path and handlers. */
export interface Route {
  readonly node: SyntaxNode;
  /** In capitals. `*` for any method, or if it is unknown. */
  readonly method: string;
  readonly path: string;
  /** Middleware, and the handler if it is inline. */
  readonly code: readonly SyntaxNode[];
  /** Middleware and handlers that are passed by name, the handler last. */
  readonly names: readonly string[];
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ...["get", "post", "put", "patch", "delete", "head", "options"].map((name) => [name, name.toUpperCase()] as const),
  ["del", "DELETE"],
  ["all", "*"],
  ["any", "*"],
]);
/** Mock servers of tests. */
const PLAYERS = /^(?:http|rest|nock|cy|page|mock\w*)$/i;
/** HTTP clients. Their calls take values, while routers take functions. */
const CLIENTS = /^(?:axios|fetch|https|client|api|request|agent|supertest|\$|ky|got|requests|session)$/i;
const FUNCTION_REGISTRARS: ReadonlySet<string> = new Set(["HandleFunc", "Handle", "handle"]);
const MOUNTS: ReadonlySet<string> = new Set(
  "use route register mount nest Group Route PathPrefix basePath include_router APIRouter Router Blueprint group prefix createRoute".split(
    " ",
  ),
);
/** Node types of references by name. */
const NAMES = /^(?:identifier|member_expression|selector_expression|scoped_identifier)$/;

/** Endpoints that a call registers: none, one, or one per method. */
export function readRoutes(call: SyntaxNode): readonly Route[] {
  const names = pathOf(call);
  const [root = "", last = ""] = [names[0], names.at(-1)];
  const args = argumentsOf(call);
  if (names.length < 2 || PLAYERS.test(root) || (CLIENTS.test(root) && !args.some(hasFunction))) return [];
  const method = METHODS.get(last.toLowerCase());
  if (method !== undefined) return oneRoute(call, { method, names, args });
  if (FUNCTION_REGISTRARS.has(last)) return patternRoute(call, args);
  if (last === "openapi") return handled(call, { method: "*", path: "", rest: args });
  if (last === "route") return args.length === 1 ? objectRoute(call, args[0]) : methodRoutes(args);
  return [];
}

function hasFunction(node: SyntaxNode): boolean {
  return descendants(node).some(({ type }) => LAMBDAS.has(type));
}

interface MethodCall {
  readonly method: string;
  readonly names: readonly string[];
  readonly args: readonly SyntaxNode[];
}

/** `app.post("/users", …)` or `router.route("/users").post(…)`. */
function oneRoute(call: SyntaxNode, { method, names, args }: MethodCall): readonly Route[] {
  const first = stringValue(args[0]);
  if (first !== undefined) {
    return isPath(first) && args.length > 1 ? handled(call, { method, path: first, rest: args.slice(1) }) : [];
  }
  const before = names.includes("route") ? descendants(call).find((node) => isRouteCall(node)) : undefined;
  const path = before === undefined ? undefined : stringValue(argumentsOf(before)[0]);
  return path === undefined || args.length === 0 ? [] : handled(call, { method, path, rest: args });
}

function isRouteCall(node: SyntaxNode): boolean {
  return CALLS.has(node.type) && pathOf(node).at(-1) === "route";
}

/** `mux.HandleFunc("POST /users", create)` of Go. */
function patternRoute(call: SyntaxNode, args: readonly SyntaxNode[]): readonly Route[] {
  const [, method = "*", path] = /^(?:([A-Z]+) )?(\S*\/\S*)$/.exec(stringValue(args[0]) ?? "") ?? [];
  return path === undefined ? [] : handled(call, { method, path, rest: args.slice(1) });
}

/** `.route("/users", get(list).post(create))` of Rust. */
function methodRoutes([first, ...rest]: readonly SyntaxNode[]): readonly Route[] {
  const path = stringValue(first);
  if (path === undefined || !isPath(path)) return [];
  const calls = rest.flatMap((argument) => descendants(argument)).filter(({ type }) => CALLS.has(type));
  return calls.flatMap((node) => {
    const method = METHODS.get(pathOf(node).at(-1) ?? "");
    return method === undefined ? [] : handled(node, { method, path, rest: argumentsOf(node) });
  });
}

/** `app.route({ method, url, handler })`. */
function objectRoute(call: SyntaxNode, object: SyntaxNode | undefined): readonly Route[] {
  const field = (...names: readonly string[]) =>
    part(
      codeChildren(object).find((pair) => names.includes(part(pair, "key")?.text ?? "")),
      "value",
    );
  const path = stringValue(field("url", "path"));
  if (object === undefined || path === undefined) return [];
  return handled(call, { method: stringValue(field("method")) ?? "*", path, rest: codeChildren(object) });
}

interface Handled {
  readonly method: string;
  readonly path: string;
  readonly rest: readonly SyntaxNode[];
}

function handled(node: SyntaxNode, { method, path, rest }: Handled): readonly Route[] {
  const code = rest.filter(({ type }) => !NAMES.test(type));
  const names = rest.flatMap(namesIn);
  const isHandled = names.length > 0 || code.some(hasFunction);
  return isHandled ? [{ node, method: method.toUpperCase(), path, code, names }] : [];
}

/** Names of functions that are passed as references. */
function namesIn(node: SyntaxNode): readonly string[] {
  if (NAMES.test(node.type)) return [node.text.replaceAll("::", ".")];
  if (node.type === "array") return codeChildren(node).flatMap(namesIn);
  if (CALLS.has(node.type)) return argumentsOf(node).flatMap(namesIn);
  const value = node.type === "pair" ? part(node, "value") : undefined;
  return value === undefined ? [] : namesIn(value);
}

function isPath(text: string): boolean {
  return text === "" || /^[/*]/.test(text);
}

/** Path prefix at which a call mounts a router. */
export function readMount(call: SyntaxNode): string | undefined {
  if (!MOUNTS.has(pathOf(call).at(-1) ?? "")) return undefined;
  const args = argumentsOf(call);
  const prefixes = [...args, ...args.flatMap(codeChildren)].flatMap((argument) => {
    const key = part(argument, "key") ?? part(argument, "name");
    return /^(?:prefix|url_prefix|path)$/.test(key?.text ?? "") ? (stringValue(part(argument, "value")) ?? []) : [];
  });
  return [stringValue(args[0]), ...prefixes].find((path) => path?.startsWith("/") && path.length > 1);
}

const MAPPINGS = /^(get|post|put|patch|delete|head|options|all|request)(?:mapping)?$/i;

/** True for the name of a decorator that declares a route. */
export function isRouteMark(name: string): boolean {
  return MAPPINGS.test(name);
}

/** Route in the decorators of a function: `@app.post("/users")`, `@PostMapping`, `#[post("/users")]`. */
export function markedRoute({
  marks,
  owner,
}: FunctionCode): { readonly method: string; readonly path: string } | undefined {
  for (const { path: names, args } of marks) {
    const last = names.at(-1) ?? "";
    // `@app.route(…)` of Flask, and `#[utoipa::path(get, path = …)]` of Rust.
    const isFlask = /^(?:route|api_route)$/.test(last) && names.length > 1;
    const isOpenApi = last === "path" && names[0] === "utoipa";
    const [, word] = MAPPINGS.exec(last) ?? [];
    if (word === undefined && !isFlask && !isOpenApi) continue;
    const own = firstString(args);
    // A route decorator has a path, or its class has one.
    if (own === undefined && owner === undefined) continue;
    const method = word === undefined || /^(?:all|request)$/i.test(word) ? (methodIn(args) ?? "*") : word;
    return { method: method.toUpperCase(), path: joinPaths(prefixOf(owner?.marks ?? []), own ?? "") };
  }
  return undefined;
}

function prefixOf(marks: readonly Mark[]): string {
  const named = marks.filter(({ path }) => /^(?:Controller|RequestMapping|Path)$/.test(path.at(-1) ?? ""));
  return firstString(named.flatMap(({ args }) => args)) ?? "";
}

function firstString(args: readonly SyntaxNode[]): string | undefined {
  return args
    .flatMap((argument) => descendants(argument))
    .map(stringValue)
    .find((text) => text !== undefined);
}

function methodIn(args: readonly SyntaxNode[]): string | undefined {
  const text = args.map((argument) => argument.text).join(" ");
  return /\b(GET|POST|PUT|PATCH|DELETE)\b|^\(?\s*(get|post|put|patch|delete)\b/
    .exec(text)
    ?.slice(1)
    .find((one) => one !== undefined);
}

function joinPaths(prefix: string, path: string): string {
  return `/${[prefix, path]
    .map((one) => one.replace(/^\/+|\/+$/g, ""))
    .filter((one) => one !== "")
    .join("/")}`;
}
