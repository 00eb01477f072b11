import type { ApiServer, Fields } from "./api-server.ts";

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string;
  /** The schema of its body in the document. */
  readonly body: Fields | undefined;
  /** An example body of the document. */
  readonly example: unknown;
  readonly parameters: readonly Fields[];
  readonly responses: Readonly<Record<string, Fields>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Fields>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Fields>> };
}

export function readDocument(server: ApiServer): Promise<ApiDocument> {
  return server.get<ApiDocument>("/openapi.json");
}

export function operationsIn({ paths, components }: ApiDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, about]) => {
      const [security] = about.security as [{ token: [string] }];
      const body = schemaIn(about.requestBody);
      const name =
        String(body?.$ref ?? "")
          .split("/")
          .at(-1) ?? "";
      return {
        id: String(about.operationId),
        method: method.toUpperCase(),
        path,
        scope: security.token[0],
        body,
        example: body && (components.schemas[name]?.example ?? {}),
        parameters: (about.parameters ?? []) as Fields[],
        responses: about.responses as Record<string, Fields>,
      };
    }),
  );
}

/** The schema of a request or response body, if it has one. */
export function schemaIn(holder: unknown): Fields | undefined {
  const content = (holder as { content?: Record<string, { schema?: Fields }> } | undefined)?.content ?? {};
  return Object.values(content)[0]?.schema;
}
