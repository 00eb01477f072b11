import { InvalidOptionError } from "throughline";

/** A model's server, which requests are passed on to. */
export interface UpstreamModel {
  /** Its base URL, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /** Added to every request; neither who asks nor a log ever sees it. Without it the key of who asks is passed on. */
  readonly key?: string;
  /** The one model that is offered; without it all that the upstream has. */
  readonly model?: string;
}

/** @throws InvalidOptionError where nothing could be asked at that address. */
export function checkUpstream({ url, key }: UpstreamModel): void {
  const { protocol, username, password, search, hash } = URL.canParse(url) ? new URL(url) : new URL("none:");
  const isPlain = username === "" && password === "" && search === "" && hash === "";
  if (!/^https?:$/.test(protocol) || !isPlain) {
    // A password may be in it: it is not repeated.
    throw new InvalidOptionError("The model's URL", "not usable", "a base URL such as http://127.0.0.1:11434/v1");
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new InvalidOptionError("The model's key", "not usable", "visible ASCII characters without spaces");
  }
}
