/** Returns a value as JSON. A value that is nested too deeply becomes a list of its names and values. */
export function jsonText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    if (error instanceof RangeError) return flatText(value);
    throw error;
  }
}

function flatText(value: unknown): string {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) texts.push(String(next));
    else for (const [name, inner] of Object.entries(next)) open.push(inner, name);
  }
  return texts.join(" ");
}
