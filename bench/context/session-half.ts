/**
 * Half of the sessions that a session belongs to, 0 or 1, by a hash of its id. Rules are developed on the first half
 * and checked on both.
 */
export function halfOf(sessionId: string): 0 | 1 {
  let hash = 0x811c9dc5;
  for (let at = 0; at < sessionId.length; at += 1) hash = Math.imul(hash ^ sessionId.charCodeAt(at), 0x01000193);
  return ((hash >>> 16) & 1) === 0 ? 0 : 1;
}
