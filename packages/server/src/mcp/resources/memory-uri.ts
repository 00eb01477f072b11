const BEGINNING = "throughline://memories/";

/** Where the resource of a memory is. */
export const MEMORY_TEMPLATE = `${BEGINNING}{id}`;
export const CONTEXT_URI = "throughline://context";

export function memoryUri(id: string): string {
  return BEGINNING + encodeURIComponent(id);
}

/** The id in such an address; `undefined` where it is written wrongly. */
export function idIn(variable: string | readonly string[] | undefined): string | undefined {
  if (typeof variable !== "string") return undefined;
  try {
    return decodeURIComponent(variable);
  } catch {
    return undefined;
  }
}
