/**
 * The values in a JSON value without the names of their fields, one per line: JSON escapes would hide words. The nesting
 * may have any depth.
 */
export function valuesText(value: unknown): string {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "object" && next !== null) for (const one of Object.values(next).reverse()) open.push(one);
    else if (next !== undefined && next !== null) texts.push(String(next));
  }
  return texts.join("\n");
}
