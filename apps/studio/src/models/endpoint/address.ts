import type { ChatModel } from "../chat-model.ts";
import { ModelError } from "../model-error.ts";

/** Where an endpoint's words go. */
export interface Whereabouts {
  readonly place: ChatModel["place"];
  readonly host: string;
  /** For a person: "Goes to openrouter.ai". */
  readonly says: string;
}

/**
 * An address as it is kept: absolute, http or https, without a slash at the end.
 *
 * @example
 * readAddress(" http://localhost:11434/v1/ "); // "http://localhost:11434/v1"
 */
export function readAddress(entered: string): string {
  const text = entered.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ModelError("invalid-address", "This is not an address. Enter one as http://localhost:11434/v1.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ModelError(
      "invalid-address",
      "Leave name and password out of the address. A key has a field of its own.",
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ModelError("invalid-address", "The address may not have a ? or # in it. Enter it up to /v1.");
  }
  return url.href.replace(/\/+$/, "");
}

/** Whether a key that was entered for one address may go to another: only to the same server. */
export function isSameServer(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}

export function whereabouts(baseUrl: string, modelId: string): Whereabouts {
  const { host } = new URL(baseUrl);
  if (!isThisDevice(baseUrl)) return { place: "remote", host, says: `Goes to ${host}` };
  // Ollama offers models that it only passes on to; their names tell.
  if (/[:-]cloud$/.test(modelId)) return { place: "remote", host, says: `Goes to ${host}, which passes it on` };
  return { place: "device", host, says: `Goes to ${host}, a program on this device` };
}

export function isThisDevice(address: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}
