import type { Step } from "../code-unit.ts";
import type { FunctionCode, Parameter } from "../read/find-functions.ts";
import { part } from "../syntax/nodes.ts";

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
    recogniseAuth((value?.text ?? type).replace(/^.*?Depends\(|\).*$/g, "")),
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
export function recogniseAuth(name: string): boolean {
  return AUTH.test(name.split(".").at(-1) ?? name) || /^auth\./i.test(name);
}
