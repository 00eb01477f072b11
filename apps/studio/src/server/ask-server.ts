import { frameCopy } from "../copy/frame.ts";

/** Result of the search for the server of this page. */
export type Reach = "ready" | "no-server" | "no-access";

/** A request that the server refused, or could not answer. The message is for people. */
export class ServerProblem extends Error {
  /** HTTP status; 0 if the server did not answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "ServerProblem";
    this.status = status;
  }
}

/** Detects the server. A static host has none, or serves a page at its address. */
export async function reachServer(): Promise<Reach> {
  try {
    await askServer("/projects?limit=1");
    return "ready";
  } catch (error) {
    const { status } = error instanceof ServerProblem ? error : { status: 0 };
    return status === 401 || status === 403 ? "no-access" : "no-server";
  }
}

export interface AskOptions {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Asks the server of this page.
 *
 * @throws ServerProblem if it does not answer, or refuses
 */
export async function askServer<T>(path: string, options: AskOptions = {}): Promise<T> {
  const response = await send(path, options);
  if (response.status === 204) return undefined as T;
  if (!isJson(response)) throw new ServerProblem(0, frameCopy.server.failed);
  const body: unknown = await response.json();
  if (response.ok) return body as T;
  throw new ServerProblem(response.status, detailOf(body) ?? frameCopy.server.failed);
}

async function send(path: string, { method = "GET", body, signal }: AskOptions): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      headers: { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ServerProblem(0, frameCopy.server.failed);
  }
}

function isJson({ headers }: Response): boolean {
  return /^application\/(?:problem\+)?json\b/.test(headers.get("content-type") ?? "");
}

function detailOf(body: unknown): string | undefined {
  const isProblem = typeof body === "object" && body !== null && "detail" in body;
  return isProblem && typeof body.detail === "string" ? body.detail : undefined;
}
