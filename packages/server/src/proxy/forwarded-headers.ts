/** Headers that hold the key for a provider. `Upstream` decides which of them goes along. */
export const KEY_HEADERS = ["authorization", "x-api-key", "api-key", "x-goog-api-key"] as const;

/** A token of this server, alone or behind `Bearer`: it opens this server and nothing else. */
const OWN_TOKEN = /(?:^|\s)tl_/i;

/** Headers that belong to one connection, or that are written anew for the connection to the provider. */
const OF_THE_CONNECTION =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|content-(length|type)|accept-encoding|proxy-.*)$/;
/** Headers by which a browser says what page asks and who is logged in. */
const OF_THE_BROWSER = /^(cookie2?|origin|referer|sec-.*|dnt)$/;
/** Headers by which proxies and access gateways in front of this server say who the user is and where they come from. */
const OF_GATEWAYS: readonly RegExp[] = [
  /^(forwarded|via|(x-)?(real|client|cluster-client|true-client)-ip|x-(forwarded|original|envoy|vercel|azure|arr|nf|appengine)-.*)$/,
  /^((x-)?remote-.*|x-(auth-request|authentik|webauth|pomerium|vouch|amzn|ms-client-principal|ms-token|goog-iap|goog-authenticated)-.*)$/,
  // Cloudflare's own gateway for models takes its settings in `cf-aig-…`.
  /^(cf-(?!aig-).*|(fly|fastly|tailscale|x-ssl|ssl-client|oidc)-.*|x-ms-client-principal)$/,
];
/** Headers by which other gateways name the user or hand on a credential. */
const OF_THE_USER = /(^|-)(token|jwt|userinfo|consumer|credential|user|email|secret)(-|$)/;
/** Headers of clients, and of gateways for models, that only look like those of a user. */
const OF_CLIENTS = /^((x-)?user-agent|x-goog-user-project|(openai|anthropic|x-stainless|x-claude|cf-aig|helicone)-.*)$/;
/** Headers that hold a key by their name; they are for a request that goes out with the client's key. */
const OF_KEYS = /-(key|auth|authorization)$/;
const NO_SECRET = "idempotency-key";
const OWN = /^x-throughline-/;

/**
 * The headers of a client that the provider gets.
 *
 * This is a deny list. Agents and gateways agree on headers that this server cannot know in advance (the agent's name and
 * version, its session for routing and caching, betas, tenants, tracing), and a client behind the proxy has to look to its
 * provider like one without it. Everything that says something about the way to this server is denied: the connection,
 * cookies, the browser's page, what a gateway in front adds about the user, and our own headers. Keys are left out here
 * too, and so is any header whose value is a token of this server, whatever its name. If the server has its own key, so is
 * every header that is named like a key.
 */
export function forwardedHeaders(from: Headers, hasServerKey: boolean): Record<string, string> {
  const named = new Set((from.get("connection") ?? "").toLowerCase().split(/[\s,]+/));
  const isDenied = (name: string) =>
    named.has(name) ||
    (KEY_HEADERS as readonly string[]).includes(name) ||
    (OF_THE_USER.test(name) && !OF_CLIENTS.test(name)) ||
    (hasServerKey && OF_KEYS.test(name) && name !== NO_SECRET) ||
    [OF_THE_CONNECTION, OF_THE_BROWSER, OWN, ...OF_GATEWAYS].some((denied) => denied.test(name));
  return Object.fromEntries([...from].filter(([name, value]) => !isDenied(name) && !isOwnToken(value)));
}

/** Whether a header's value, or a key in a query, is a token of this server. */
export function isOwnToken(value: string): boolean {
  return OWN_TOKEN.test(value);
}
