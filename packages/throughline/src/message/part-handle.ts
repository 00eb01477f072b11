/** Handle of a part: `session.expand` returns its original with it. */
export function handleOf(partId: string): string {
  return `part:${partId}`;
}
