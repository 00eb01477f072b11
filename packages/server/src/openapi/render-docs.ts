import { html, raw } from "hono/html";
import { isRecord } from "throughline/internal";
import { DOCS_STYLE } from "./docs-style.ts";

type Fields = Record<string, unknown>;

const METHODS = ["get", "post", "patch", "delete"];

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly about: Fields;
}

/** The API for people: one page without a script, made from what programs read at `/openapi.json`. */
export function renderDocs(document: object): string {
  const { info, tags, paths, components } = document as Fields;
  const { title, version, description } = fields(info);
  const schemas = fields(fields(components).schemas);
  const operations = Object.entries(fields(paths)).flatMap(([path, item]) => operationsOf(path, fields(item)));
  const groups = list(tags).map((tag) => ({
    name: tag.name,
    about: tag.description,
    own: operations.filter(({ about }) => hasTag(about, tag.name)),
  }));
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title><style>${raw(DOCS_STYLE)}</style>
</head>
<body>
<header><h1>${title} API <small>${version}</small></h1><p>${code(String(description))}</p>
<p>For programs: <a href="/openapi.json">/openapi.json</a>. The chat is at <a href="/">/</a>.</p>
<nav>${groups.map(({ name }) => html`<a href="#${name}">${name}</a> `)}</nav></header>
<main>
${groups.map(
  ({ name, about, own }) => html`<section id="${name}"><h2>${name}</h2><p>${about}</p>
${own.map((operation) => renderOperation(operation, schemas))}</section>`,
)}
</main>
</body>
</html>`);
}

function renderOperation({ method, path, about }: Operation, schemas: Fields) {
  const body = contentOf(about.requestBody);
  const success = Object.entries(fields(about.responses)).find(([status]) => status.startsWith("2"));
  const [status = "", answer] = success ?? [];
  return html`<article id="${about.operationId}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></h3>
<p>${about.summary}. <span class="scope">Scope: ${scopeOf(about)}</span></p>
${renderParameters(list(about.parameters))}
${body === undefined ? "" : html`<h4>Body</h4>${renderSchema(body, schemas)}${renderExample(body, schemas)}`}
<h4>Answer ${status}</h4><p>${fields(answer).description}</p>
${contentOf(answer) === undefined ? "" : renderSchema(contentOf(answer) ?? {}, schemas)}
</article>`;
}

function renderParameters(parameters: readonly Fields[]) {
  if (parameters.length === 0) return "";
  return html`<h4>Parameters</h4><ul>${parameters.map(
    ({ name, in: place, required, schema }) => html`<li><code>${name}</code> ${typeOf(fields(schema))},
in the ${place}${required === true ? ", required" : ""}. ${code(String(fields(schema).description ?? ""))}</li>`,
  )}</ul>`;
}

function renderSchema(schema: Fields, schemas: Fields) {
  const { properties, required } = resolve(schema, schemas);
  const names = Object.entries(fields(properties));
  if (names.length === 0) return html`<p><code>${typeOf(schema)}</code></p>`;
  return html`<details><summary>${nameOf(schema) ?? "Fields"}</summary><ul>${names.map(
    ([name, field]) =>
      html`<li><code>${name}</code> ${typeOf(fields(field))}${
        Array.isArray(required) && required.includes(name) ? ", required" : ""
      }. ${code(String(fields(field).description ?? ""))}</li>`,
  )}</ul></details>`;
}

function renderExample(schema: Fields, schemas: Fields) {
  const { example } = resolve(schema, schemas);
  return example === undefined ? "" : html`<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`;
}

function operationsOf(path: string, item: Fields): readonly Operation[] {
  return METHODS.flatMap((method) => (isRecord(item[method]) ? [{ method, path, about: fields(item[method]) }] : []));
}

function typeOf(schema: Fields): string {
  const { type, items, anyOf, allOf, enum: values } = schema;
  if (Array.isArray(values)) return values.map(String).join(" | ");
  if (type === "array") return `${typeOf(fields(items))}[]`;
  const others = [...list(anyOf), ...list(allOf)];
  if (others.length > 0) return others.map(typeOf).join(" | ");
  return nameOf(schema) ?? (Array.isArray(type) ? type.join(" | ") : String(type ?? "any"));
}

function resolve(schema: Fields, schemas: Fields): Fields {
  const name = nameOf(schema);
  return name === undefined ? schema : fields(schemas[name]);
}

function nameOf({ $ref }: Fields): string | undefined {
  return typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined;
}

function contentOf(holder: unknown): Fields | undefined {
  const [media] = Object.values(fields(fields(holder).content));
  return media === undefined ? undefined : fields(fields(media).schema);
}

function scopeOf({ security }: Fields): string {
  const [first] = list(security);
  return Array.isArray(first?.token) ? first.token.join(", ") : "none";
}

function hasTag({ tags }: Fields, name: unknown): boolean {
  return Array.isArray(tags) && tags.includes(name);
}

/** Words between backquotes are code. */
function code(text: string) {
  return text.split("`").map((piece, place) => (place % 2 === 1 ? html`<code>${piece}</code>` : piece));
}

function fields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
