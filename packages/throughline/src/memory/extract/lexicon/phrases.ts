/** A pattern that fits any of the phrases in a list, which stand with a comma and a space between them. */
export function phrases(list: string): string {
  return `(?:${list.trim().replace(/\s+/g, " ").split(", ").join("|")})`;
}
