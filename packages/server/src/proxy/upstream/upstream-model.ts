import { InvalidOptionError } from "throughline";

/** An upstream model API. */
export interface UpstreamModel {
  /** Base URL, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /** API key for every request, never visible to clients or in logs. Without it, the client's key is forwarded. */
  readonly key?: string;
  /** The only model to offer (default: all models of the upstream). */
  readonly model?: string;
}

/** @throws InvalidOptionError if the URL or the key is invalid */
export function checkUpstream({ url, key }: UpstreamModel): void {
  const { protocol, username, password, search, hash } = URL.canParse(url) ? new URL(url) : new URL("none:");
  const isPlain = username === "" && password === "" && search === "" && hash === "";
  if (!/^https?:$/.test(protocol) || !isPlain) {
    // The URL is not repeated because it may contain a password.
    throw new InvalidOptionError("upstream URL", "(hidden)", "a base URL such as http://127.0.0.1:11434/v1");
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new InvalidOptionError("upstream key", "(hidden)", "visible ASCII characters without spaces");
  }
}
