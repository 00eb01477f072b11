import type { SourceFile, SyntaxNode } from "../../../ports/workspace.ts";
import type { CodeUnit, FileFacts } from "../code-unit.ts";
import { isScript } from "../concepts/scope.ts";
import { isTestCall, isTestFile, isTestFunction } from "../concepts/testing.ts";
import { argumentsOf, pathOf } from "../syntax/call-path.ts";
import { CALLS } from "../syntax/kinds.ts";
import { descendants, part } from "../syntax/nodes.ts";
import { type Definitions, findDefinitions } from "./find-functions.ts";
import { findPackages } from "./find-packages.ts";
import { readMount, readRoutes } from "./find-routes.ts";
import { findValues } from "./find-values.ts";
import { isOwnSource } from "./own-source.ts";
import { catchUnit, isCaught } from "./read-caught.ts";
import { classUnit, functionUnit, routeUnit, testUnit, type UnitContext, valueUnit } from "./read-units.ts";

/** Maximum number of units of a file. A file with more is probably generated. */
const MAX_UNITS = 400;

/** Facts about a file that patterns are mined from. Only a project's own files have units. */
export function readFacts(source: SourceFile): FileFacts {
  const { path, language, root } = source;
  const packages = findPackages(root);
  if (!isOwnSource(path, root)) return { language, packages, mounts: [], units: [] };
  return { language, packages, ...readPieces(source, packages) };
}

function readPieces(source: SourceFile, packages: readonly string[]): Pick<FileFacts, "mounts" | "units"> {
  const { path, language, root } = source;
  const nodes = descendants(root);
  const calls = nodes.filter(({ type }) => CALLS.has(type));
  const isTest = isTestFile(path);
  const routes = isTest ? [] : calls.flatMap(readRoutes);
  const tests = isScript({ language }) ? calls.filter(isTestNode) : [];
  const { functions: all, classes } = ownDefinitions(source, isTest);
  // Code in the registration of an endpoint belongs to that endpoint.
  const ofRoutes = new Set(routes.flatMap(({ code }) => code.flatMap((one) => descendants(one))));
  const functions = all.filter(({ node }) => !ofRoutes.has(node));
  const apart = new Set<SyntaxNode>([...routes, ...functions, ...classes].map(({ node }) => node).concat(tests));
  const context: UnitContext = {
    path,
    language,
    packages,
    isTest,
    describes: tests.length > 0 && calls.some((call) => pathOf(call)[0] === "describe"),
    isApart: (node) => apart.has(node),
  };
  const units: CodeUnit[] = [
    ...routes.map((route) => routeUnit(route, context)),
    ...tests.map((test) => testUnit(test, context)),
    ...classes.map(classUnit),
    ...(isTest ? [] : findValues(root).map(valueUnit)),
    ...functions.map((code) => functionUnit(code, context)),
    ...(isTest ? [] : nodes.filter((node) => isCaught(node, language)).map(catchUnit)),
  ].filter(({ steps }) => steps.length > 0);
  const mounts = isTest ? [] : calls.flatMap((call) => readMount(call) ?? []);
  return { mounts, units: units.slice(0, MAX_UNITS) };
}

/** Definitions of a file. In test code, only the tests: its helpers show nothing about other code. */
function ownDefinitions({ root, language }: SourceFile, isTest: boolean): Definitions {
  const { functions, classes } = findDefinitions(root);
  const inline = language === "rust" && !isTest ? descendants(root).filter(isTestModule) : [];
  const nodes = new Set(inline.flatMap((one) => descendants(one)));
  const isOwn = ({ node }: { readonly node: SyntaxNode }) => !isTest && !nodes.has(node);
  return {
    functions: functions.filter((code) => isOwn(code) || isTestFunction(code, language)),
    classes: classes.filter(isOwn),
  };
}

function isTestModule(node: SyntaxNode): boolean {
  return node.type === "mod_item" && /^tests?$/.test(part(node, "name")?.text ?? "");
}

function isTestNode(call: SyntaxNode): boolean {
  return isTestCall(
    pathOf(call),
    argumentsOf(call).map(({ type }) => type),
  );
}
