import { isIPv4 } from "node:net";

/** True if a host name or address, as written in a URL, can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === "localhost" || name === "[::1]" || (isIPv4(name) && name.startsWith("127."));
}

/** Formats a host for a URL: `::1` in brackets. */
export function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
