import type { SyntaxNode } from "../../../ports/workspace.ts";
import type { Step } from "../code-unit.ts";
import { CALLS, codeChildren, part, pathOf } from "../syntax/nodes.ts";
import { isScript, type Recognizer, type Scope } from "./scope.ts";

const ENVELOPE: ReadonlySet<string> = new Set([
  "data",
  "error",
  "errors",
  "ok",
  "success",
  "meta",
  "result",
  "results",
  "payload",
  "pagination",
  "status",
  "code",
]);
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

export const recogniseResponse: Recognizer = (event, scope) => {
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
