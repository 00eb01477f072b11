import type { Step } from "../code-unit.ts";
import { isScript, type Recognizer, type Scope } from "./scope.ts";

/** Validation libraries by package name. */
const LIBRARIES: readonly (readonly [name: string, packages: RegExp])[] = [
  ["zod", /^zod(?:\/|$)|zod-(?:validator|openapi)|zod-express|fastify-type-provider-zod/],
  ["valibot", /valibot/],
  ["yup", /^yup$/],
  ["joi", /^(?:@hapi\/)?joi$/],
  ["ajv", /^ajv(?:-|$)/],
  ["typebox", /typebox/],
  ["superstruct", /^superstruct$/],
  ["arktype", /arktype/],
  ["runtypes", /^runtypes$/],
  ["express-validator", /^express-validator$/],
  ["marshmallow", /^marshmallow$/],
  ["validator", /go-playground\/validator|^validator$|^garde$/],
];
/** Validation by a library that the file does not show. Other files of the project may show it. */
export const UNKNOWN_LIBRARY: Step = "validation=schema";

const SURE: ReadonlySet<string> = new Set(["safeParse", "safeParseAsync", "model_validate", "parse_obj"]);
const PARSES: ReadonlySet<string> = new Set([
  "parse",
  "parseAsync",
  "validate",
  "validateAsync",
  "validateSync",
  "decode",
  "cast",
  "load",
]);
const SCHEMA = /schema|dto$|validator|shape$|^(?:body|params|query|input)$/i;
const LIBRARY_ROOT = /^(?:z|v|s|t|yup|Joi|joi|type|struct)$/;
const BUILT_IN: ReadonlySet<string> = new Set(["JSON", "Date", "URL", "Number", "BigInt", "Math", "Intl"]);
const CHECKER =
  /^(?:[zvst]|tb|ark)?validator$|^validate(?:request|body|params|query|input|schema|data|with|payload)?$/i;
const OF_CHECKER: ReadonlyMap<string, string> = new Map([
  ["zValidator", "zod"],
  ["vValidator", "valibot"],
  ["tbValidator", "typebox"],
]);
const BINDERS = /^(?:ShouldBind|Bind|BodyParser|MustBind)/;

/** Validation library that a file imports. */
export function validationLibrary(packages: readonly string[]): string | undefined {
  return LIBRARIES.find(([, pattern]) => packages.some((name) => pattern.test(name)))?.[0];
}

export const recogniseValidation: Recognizer = (event, scope) => {
  if (event.kind !== "call") return undefined;
  const { path, args } = event;
  const last = path.at(-1) ?? "";
  if (scope.language === "go") return goValidation(path);
  if (scope.language === "rust")
    return last === "validate" && path.length > 1 ? "validation=validator_crate" : undefined;
  // Validated input in Hono.
  if (last === "valid" && path.includes("req")) return named(scope);
  const known = OF_CHECKER.get(last);
  if (known !== undefined) return `validation=${known}_schema`;
  if (CHECKER.test(last) && path.length === 1 && args.length > 0) return named(scope);
  return isSchemaCall(path, scope) ? named(scope) : undefined;
};

function isSchemaCall(path: readonly string[], scope: Scope): boolean {
  const last = path.at(-1) ?? "";
  const before = path.at(-2) ?? "";
  if (SURE.has(last)) return true;
  if (!PARSES.has(last) || path.length < 2 || BUILT_IN.has(path[0] ?? "")) return false;
  if (last === "load" || last === "decode") return /schema/i.test(before);
  if (SCHEMA.test(before)) return true;
  const isLibrary = isScript(scope) && validationLibrary(scope.packages) !== undefined;
  return isLibrary && (/^[A-Z]/.test(before) || LIBRARY_ROOT.test(path[0] ?? ""));
}

function named({ packages }: Scope): Step {
  const library = validationLibrary(packages);
  return library === undefined ? UNKNOWN_LIBRARY : `validation=${library}_schema`;
}

function goValidation(path: readonly string[]): Step | undefined {
  const last = path.at(-1) ?? "";
  if (BINDERS.test(last)) return "validation=bound_struct";
  if (/^(?:Struct|StructCtx|ValidateStruct)$/.test(last) || (last === "Validate" && path.length > 1)) {
    return "validation=validator_struct";
  }
  return last === "Decode" && path.includes("NewDecoder") ? "input=decoded_body" : undefined;
}
