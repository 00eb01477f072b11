import { wordSet } from "../../../language/words.ts";
import type { SyntaxNode } from "../../../ports/workspace.ts";
import type { Step } from "../code-unit.ts";
import type { FunctionCode, Parameter } from "./find-definitions.ts";
import { isScript, type Recognizer, type Scope } from "./read-events.ts";
import { CALLS, codeChildren, part, pathOf } from "./syntax-nodes.ts";

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
const PARSES: ReadonlySet<string> = wordSet("parse parseAsync validate validateAsync validateSync decode cast load");
const SCHEMA = /schema|dto$|validator|shape$|^(?:body|params|query|input)$/i;
const LIBRARY_ROOT = /^(?:z|v|s|t|yup|Joi|joi|type|struct)$/;
const BUILT_IN: ReadonlySet<string> = wordSet("JSON Date URL Number BigInt Math Intl");
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

export const recognizeValidation: Recognizer = (event, scope) => {
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

const ENVELOPE: ReadonlySet<string> = wordSet(
  "data error errors ok success meta result results payload pagination status code",
);
const WRAPPER = /envelope|^(?:ok|success|fail|failure|wrap|toResponse|created)$|response$/i;
const ANSWERERS = /^(?:res|resp|response|reply|rep|c|ctx|context|Response|NextResponse|HttpResponse|h)$/;
const ENVELOPED: Step = "response=json_envelope";
const PLAIN: Step = "response=json_body";
const OF_LANGUAGE: Readonly<Record<string, Answer>> = {
  python: (path) => {
    const last = path.at(-1) ?? "";
    if (/^(?:jsonify|JSONResponse|JsonResponse|ORJSONResponse)$/.test(last)) return PLAIN;
    if (/^HttpResponse\w*$/.test(last)) return "response=http_response";
    return /^(?:render|render_template|TemplateResponse)$/.test(last) ? "response=html_view" : undefined;
  },
  go: (path) => {
    const last = path.at(-1) ?? "";
    if (last === "JSON" || last === "IndentedJSON") return PLAIN;
    return last === "Encode" && path.includes("NewEncoder") ? PLAIN : undefined;
  },
  rust: (path) => {
    const last = path.at(-1) ?? "";
    return last === "Json" || (last === "json" && path.includes("HttpResponse")) ? PLAIN : undefined;
  },
  java: (path) => (path[0] === "ResponseEntity" ? "response=entity_returned" : undefined),
};

export const recognizeResponse: Recognizer = (event, scope) => {
  if (isScript(scope)) return scriptResponse(event, scope);
  if (event.kind === "return" && scope.language === "python" && scope.role === "endpoint") {
    return event.value?.type === "dictionary" ? shapeOf(event.value) : undefined;
  }
  if (event.kind !== "call") return undefined;
  return OF_LANGUAGE[scope.language]?.(event.path, event.args);
};

function scriptResponse(event: Parameters<Recognizer>[0], scope: Scope): Step | undefined {
  if (event.kind === "return") {
    return scope.role === "endpoint" && event.value?.type === "object" ? shapeOf(event.value) : undefined;
  }
  // Koa responds with the assigned value.
  if (event.kind === "assign")
    return /^(?:ctx|context)\.body$/.test(event.path.join(".")) ? shapeOf(event.value) : undefined;
  if (event.kind !== "call") return undefined;
  const { path, args } = event;
  const [root = ""] = path;
  if (path.length < 2 || !(ANSWERERS.test(root) || (scope.parameters.includes(root) && scope.role === "endpoint")))
    return undefined;
  // `await c.req.json()` and `await request.json()` read the request.
  if (path.includes("req") || path.includes("request") || scope.bound.get(root)?.includes("fetch")) return undefined;
  return scriptAnswer(path.at(-1) ?? "", args);
}

function scriptAnswer(last: string, args: readonly SyntaxNode[]): Step | undefined {
  switch (last) {
    case "json":
    case "jsonp":
      return args.length > 0 ? shapeOf(args[0]) : undefined;
    case "send":
    case "code":
      return args[0]?.type === "object"
        ? shapeOf(args[0])
        : last === "send" && args.length > 0
          ? "response=sent_body"
          : undefined;
    case "render":
    case "html":
      return "response=html_view";
    case "redirect":
      return "response=redirect";
    case "text":
      return args.length > 0 ? "response=text_body" : undefined;
    default:
      return undefined;
  }
}

/** Shape of a response. An object with only status fields and a payload is an envelope. */
function shapeOf(value: SyntaxNode | undefined): Step {
  if (value !== undefined && CALLS.has(value.type)) return WRAPPER.test(pathOf(value).at(-1) ?? "") ? ENVELOPED : PLAIN;
  const keys = codeChildren(value).map((field) => (part(field, "key") ?? field).text.replace(/^["']|["']$/g, ""));
  const isEnvelope = keys.length > 0 && keys.length <= 4 && keys.every((key) => ENVELOPE.has(key) || key === "message");
  return isEnvelope ? ENVELOPED : PLAIN;
}

type Answer = (path: readonly string[], args: readonly SyntaxNode[]) => Step | undefined;

/** Steps in the signature of an endpoint, for frameworks that read them from it. */
export function signatureSteps(code: FunctionCode, language: string, packages: readonly string[]): readonly Step[] {
  switch (language) {
    case "python":
      return packages.includes("fastapi") ? fastApiSteps(code) : [];
    case "rust":
      return rustSteps(code);
    case "java":
      return javaSteps(code);
    default:
      return nestSteps(code);
  }
}

const NO_MODELS =
  /^(?:Request|Response|WebSocket|BackgroundTasks|UploadFile|\w*Session|\w*Service|\w*Repository|\w*Settings|User|Optional|List|Dict|Annotated|Any|Literal|UUID)\b/;

function fastApiSteps({ parameters, marks, returns }: FunctionCode): readonly Step[] {
  const injected = parameters.filter(
    ({ value, type }) => /^Depends\b|^Security\b/.test(value?.text ?? "") || /\bDepends\(/.test(type),
  );
  const isAuth = injected.some(({ value, type }) =>
    recognizeAuth((value?.text ?? type).replace(/^.*?Depends\(|\).*$/g, "")),
  );
  const isModel = ({ type, value }: Parameter) =>
    value === undefined && /^[A-Z]\w*$/.test(type) && !NO_MODELS.test(type);
  const keyed = marks.flatMap(({ args }) => args).some((argument) => part(argument, "name")?.text === "response_model");
  return [
    ...(isAuth ? (["auth={dependency}"] as const) : []),
    ...(parameters.some(isModel) ? (["validation=pydantic_model"] as const) : []),
    ...(injected.length > 0 && !isAuth ? (["depends={dependency}"] as const) : []),
    ...(keyed || /^[A-Z]\w*$|^list\[[A-Z]/.test(returns) ? (["response=model_returned"] as const) : []),
  ];
}

function rustSteps({ parameters, returns }: FunctionCode): readonly Step[] {
  const takes = (pattern: RegExp) => parameters.some(({ type }) => pattern.test(type));
  return [
    ...(takes(/\b(?:Auth|Claims|CurrentUser|Identity)\w*/) ? (["auth={extractor}"] as const) : []),
    ...(takes(/^(?:\w+::)*(?:Valid)?Json</) ? (["input=serde_body"] as const) : []),
    ...(/^(?:\w+::)*\w*Result</.test(returns) ? (["error_handling=result_propagated"] as const) : []),
    ...(/\b\w*Json\b/.test(returns) ? (["response=json_body"] as const) : []),
  ];
}

function javaSteps({ parameters, marks, owner, returns }: FunctionCode): readonly Step[] {
  const has = (list: FunctionCode["marks"], ...names: readonly string[]) =>
    list.some(({ path }) => names.includes(path.at(-1) ?? ""));
  const secured = has([...marks, ...(owner?.marks ?? [])], "PreAuthorize", "Secured", "RolesAllowed");
  const checked = parameters.some((parameter) => has(parameter.marks, "Valid", "Validated"));
  const taken = parameters.some((parameter) => has(parameter.marks, "RequestBody"));
  return [
    ...(secured ? (["auth={role}"] as const) : []),
    ...(checked ? (["validation=bean_validation"] as const) : taken ? (["input=request_body"] as const) : []),
    ...(returns.startsWith("ResponseEntity") ? (["response=entity_returned"] as const) : []),
    // Without a response body, the returned text is the name of a view.
    ...(/^(?:String|ModelAndView)$/.test(returns) &&
    has(owner?.marks ?? [], "Controller") &&
    !has(marks, "ResponseBody")
      ? (["response=html_view"] as const)
      : []),
  ];
}

function nestSteps({ parameters, marks, owner }: FunctionCode): readonly Step[] {
  const guarded = [...marks, ...(owner?.marks ?? [])].some(({ path }) => path.at(-1) === "UseGuards");
  const isDto = ({ marks: own, type }: Parameter) =>
    own.some(({ path }) => path.at(-1) === "Body") && /(?:Dto|DTO)\b/.test(type);
  return [
    ...(guarded ? (["auth={guard}"] as const) : []),
    ...(parameters.some(isDto) ? (["validation=dto_class"] as const) : []),
  ];
}

const AUTH =
  /auth(?!or)|^(?:require|ensure|check|verify|get|is)_?(?:current_?)?(?:user|login|session|token|admin|role|permission)|jwt|bearer|protect|loggedin|login_required|guard|permission|api_?key/i;

/** True if a name is about authorization: `requireUser`, `auth.middleware`. */
export function recognizeAuth(name: string): boolean {
  return AUTH.test(name.split(".").at(-1) ?? name) || /^auth\./i.test(name);
}
