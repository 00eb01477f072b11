import { Session as Inspector } from "node:inspector/promises";
import { join, relative } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../src/ports/model.ts";
import { clock, steps, task } from "../src/session/long-session.fixture.ts";
import { createThroughline } from "../src/throughline.ts";
import { packageFolder } from "./built.ts";

/*
 * Hops on the path of a turn that prunes and compacts.
 *
 * A hop is a function or method of the folders below that runs during `session.prepare` and calls another one that
 * runs. A function that calls none of them computes one value: a reader can take it at its name. Outside of `session/`,
 * which leads from stage to stage, private functions are details of their stage: only functions that another file calls
 * count.
 */
const FOLDERS = ["session", "overflow", "prune", "compact", "trim", "receipt"];
const TURNS: readonly { readonly title: string; readonly model?: Model; readonly maxHops: number }[] = [
  { title: "the path of a turn that prunes and compacts", maxHops: 25 },
  {
    title: "the same path if a model has not written its summary yet",
    model: { modelId: "gpt-4o", generate: async () => ({ text: "" }) },
    maxHops: 30,
  },
];
const MAX_LINES = 40;

const src = join(packageFolder, "src");

type NamedFunction =
  | ts.FunctionDeclaration
  | ts.MethodDeclaration
  | ts.GetAccessorDeclaration
  | ts.ConstructorDeclaration;

/** File, as a path in `src`, and the names of the functions in it that ran. */
type Trace = ReadonlyMap<string, ReadonlySet<string>>;

/** Prepares a turn that prunes and compacts, and returns the functions that ran. */
async function tracePrepare(model: Model | undefined): Promise<Trace> {
  const throughline = await createThroughline({ clock, ...(model && { model }) });
  const open = throughline.session("s", { modelId: "gpt-4o", contextLimit: 24_000 });
  await open.append([{ role: "user", content: task }, ...steps(40)]);
  const inspector = new Inspector();
  inspector.connect();
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const turn = await open.prepare({ budget: 2_500, memory: async () => ({ text: "A memory.", sources: ["m1"] }) });
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  inspector.disconnect();
  expect(turn).toMatchObject({ wasPruned: true, wasCompacted: true, system: "A memory." });
  const scripts = result.map(({ url, functions }) => {
    const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    return [
      relative(src, url.replace(/^file:\/\//, "")),
      new Set(ran.map(({ functionName }) => functionName)),
    ] as const;
  });
  return new Map(scripts.filter(([file]) => FOLDERS.includes(file.split("/")[0] ?? "")));
}

/** A named function that ran, with the functions that it calls of those that ran. */
interface Step {
  readonly file: string;
  readonly name: string;
  readonly lines: number;
  readonly calls: ReadonlySet<Step>;
}

function readSteps(program: ts.Program, trace: Trace): Step[] {
  const checker = program.getTypeChecker();
  const found = new Map<ts.Node, Step & { readonly calls: Set<Step> }>();
  for (const source of program.getSourceFiles()) {
    const file = relative(src, source.fileName);
    const ran = trace.get(file);
    if (ran === undefined) continue;
    for (const declared of namedFunctions(source)) {
      if (!ran.has(nameOf(declared))) continue;
      const lines = declared.getText().split("\n").length;
      found.set(declared, { file, name: nameOf(declared), lines, calls: new Set() });
    }
  }
  for (const [declared, step] of found) {
    const visit = (node: ts.Node): void => {
      const target = calledIn(node, checker);
      const called = target && found.get(target);
      if (called !== undefined && called !== step) step.calls.add(called);
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(declared, visit);
  }
  return [...found.values()];
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(packageFolder, "tsconfig.core.json"), ts.sys.readFile);
  return { ...ts.parseJsonConfigFileContent(config, ts.sys, packageFolder).options, noEmit: true, composite: false };
}

/** Functions of a file, and the methods, getters and constructors of its classes. */
function namedFunctions(source: ts.SourceFile): NamedFunction[] {
  const members = source.statements.flatMap((one): readonly ts.Node[] =>
    ts.isClassDeclaration(one) ? one.members : [],
  );
  return [...source.statements, ...members].filter(
    (node): node is NamedFunction =>
      (ts.isFunctionDeclaration(node) ||
        ts.isMethodDeclaration(node) ||
        ts.isGetAccessorDeclaration(node) ||
        ts.isConstructorDeclaration(node)) &&
      node.body !== undefined,
  );
}

/** The name that V8 has for it. */
function nameOf(declared: NamedFunction): string {
  if (ts.isConstructorDeclaration(declared)) return declared.parent.name?.getText() ?? "";
  return `${ts.isGetAccessorDeclaration(declared) ? "get " : ""}${declared.name?.getText()}`;
}

/** The declaration of the function that a call or the read of a property runs. */
function calledIn(node: ts.Node, checker: ts.TypeChecker): ts.Node | undefined {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return checker.getResolvedSignature(node)?.declaration;
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  return checker.getSymbolAtLocation(node.name)?.declarations?.find(ts.isGetAccessorDeclaration);
}

function hopsOf(all: readonly Step[]): Step[] {
  const entered = new Set(all.flatMap(({ file, calls }) => [...calls].filter((called) => called.file !== file)));
  return all.filter((step) => step.calls.size > 0 && (step.file.startsWith("session/") || entered.has(step)));
}

let program: ts.Program;
beforeAll(() => {
  program = ts.createProgram([join(src, "session/session.ts")], compilerOptions());
});

describe.each(TURNS)("$title", ({ model, maxHops }) => {
  let hops: readonly Step[];
  beforeAll(async () => {
    hops = hopsOf(readSteps(program, await tracePrepare(model)));
  });

  it(`has at most ${maxHops} hops`, () => {
    const names = hops.map(({ file, name }) => `${file} ${name}`);
    expect(names).toContain("session/session.ts prepare");
    expect(names).toContain("compact/plan-compaction.ts planCompaction");
    expect(names.length, names.join("\n")).toBeLessThanOrEqual(maxHops);
  });

  it(`has no function of more than ${MAX_LINES} lines`, () => {
    expect(hops.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });
});
