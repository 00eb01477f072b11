import type { SourceFile, SyntaxNode } from "../../../ports/workspace.ts";
import type { CodeUnit, FileFacts } from "../code-unit.ts";
import { isScript } from "../concepts/scope.ts";
import { isTestCall, isTestFile } from "../concepts/testing.ts";
import { argumentsOf, pathOf } from "../syntax/call-path.ts";
import { CALLS } from "../syntax/kinds.ts";
import { descendants } from "../syntax/nodes.ts";
import { findDefinitions } from "./find-functions.ts";
import { findPackages } from "./find-packages.ts";
import { readMount, readRoutes } from "./find-routes.ts";
import { catchUnit, isCaught } from "./read-caught.ts";
import { classUnit, functionUnit, routeUnit, testUnit, type UnitContext } from "./read-units.ts";

/** A file of the project's own pieces; more were made by a program. */
const MOST_UNITS = 400;

/** What a file is made of, as far as others may be made like it. */
export function readFacts({ path, language, root }: SourceFile): FileFacts {
  const nodes = descendants(root);
  const calls = nodes.filter(({ type }) => CALLS.has(type));
  const packages = findPackages(root);
  const isTest = isTestFile(path);
  const routes = isTest ? [] : calls.flatMap(readRoutes);
  const tests = isScript({ language }) ? calls.filter(isTestNode) : [];
  const { functions: all, classes } = findDefinitions(root);
  // What an endpoint is registered with is that endpoint.
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
    ...functions.map((code) => functionUnit(code, context)),
    ...classes.map(classUnit),
    ...(isTest ? [] : nodes.filter((node) => isCaught(node, language)).map(catchUnit)),
  ].filter(({ steps }) => steps.length > 0);
  const mounts = isTest ? [] : calls.flatMap((call) => readMount(call) ?? []);
  return { language, packages, mounts, units: units.slice(0, MOST_UNITS) };
}

function isTestNode(call: SyntaxNode): boolean {
  return isTestCall(
    pathOf(call),
    argumentsOf(call).map(({ type }) => type),
  );
}
