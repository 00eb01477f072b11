import { modelErrors } from "../../copy/model-errors.ts";
import { ModelError } from "../model-error.ts";
import { unreachable } from "./explain-endpoint.ts";

/**
 * A `fetch` for one server only. Redirects to another server are refused, because messages and key would go there.
 */
export function guardedFetch(fetchIt: typeof fetch, baseUrl: string, credentials: RequestCredentials): typeof fetch {
  const { origin, host } = new URL(baseUrl);
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).origin !== origin) throw new ModelError("failed", modelErrors.endpoint.otherServer(host, url));
    const headers = new Headers(init?.headers);
    // Some endpoints refuse this header from pages of other origins.
    headers.delete("user-agent");
    const response = await fetchIt(url, {
      ...init,
      headers,
      credentials,
      redirect: "manual",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    }).catch((error: unknown) => {
      if (init?.signal?.aborted) throw error;
      throw unreachable(baseUrl, error);
    });
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      throw new ModelError("unreachable", modelErrors.endpoint.redirect(host));
    }
    return response;
  };
}
