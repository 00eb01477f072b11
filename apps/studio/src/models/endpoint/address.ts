import { modelCopy } from "../../copy/models.ts";
import type { ChatModel } from "../chat-model.ts";
import { ModelError } from "../model-error.ts";

const { sentTo, endpoint: copy } = modelCopy;

/** Destination of the messages for an endpoint. */
export interface EndpointLocation {
  readonly place: ChatModel["place"];
  readonly host: string;
  /** For a person: "Sent to openrouter.ai". */
  readonly says: string;
}

/**
 * Normalizes an address: absolute, http or https, without a slash at the end.
 *
 * @example
 * readAddress(" http://localhost:11434/v1/ "); // "http://localhost:11434/v1"
 */
export function readAddress(entered: string): string {
  const text = withScheme(entered.trim());
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ModelError("invalid-address", copy.invalidUrl);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ModelError("invalid-address", copy.credentialsInUrl);
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ModelError("invalid-address", copy.queryInUrl);
  }
  return url.href.replace(/\/+$/, "");
}

/** A host without a scheme: `localhost:1234/v1`, `api.example.com`. A single word is none. */
const BARE_HOST = /^(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:]+\]|[\w-]+(?=:\d))(?::\d+)?(?:\/|$)/i;
const NUMERIC_HOST = /^(?:[\d.]+|\[)/;

/** Completes an address without a scheme: http for this device and numeric hosts, https for all others. */
function withScheme(text: string): string {
  if (!BARE_HOST.test(text) || !URL.canParse(`http://${text}`)) return text;
  const isLocal = NUMERIC_HOST.test(text) || isThisDevice(`http://${text}`);
  return `${isLocal ? "http" : "https"}://${text}`;
}

/** True if the key of one address may be sent to another: only to the same server. */
export function isSameServer(a: string, b: string): boolean {
  const [one, other] = [withScheme(a.trim()), withScheme(b.trim())];
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

export function locateEndpoint(baseUrl: string, modelId: string): EndpointLocation {
  const { host } = new URL(baseUrl);
  if (!isThisDevice(baseUrl)) return { place: "remote", host, says: sentTo.host(host) };
  // Ollama lists models that it only forwards to. Their names show it.
  if (/[:-]cloud$/.test(modelId)) return { place: "remote", host, says: sentTo.cloud(host) };
  return { place: "device", host, says: sentTo.device(host) };
}

export function isThisDevice(address: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}
