import { isIPv4 } from "node:net";

/** Whether a name or an address, as a URL writes it, can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === "localhost" || name === "[::1]" || (isIPv4(name) && name.startsWith("127."));
}

/** As a URL writes it: `::1` in brackets. */
export function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
