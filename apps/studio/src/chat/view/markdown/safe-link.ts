const allowed = new Set(["http:", "https:", "mailto:"]);

/** The address of a link that may be followed, or nothing: only the web and mail, and never relative to this page. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  return allowed.has(new URL(address).protocol) ? address : undefined;
}
