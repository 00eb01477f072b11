/** Sessions that requests are under way in. */
export class Claims {
  readonly #taken = new Set<string>();

  /** `false` where somebody has it. */
  take(userId: string, sessionId: string): boolean {
    const name = nameOf(userId, sessionId);
    if (this.#taken.has(name)) return false;
    this.#taken.add(name);
    return true;
  }

  release(userId: string, sessionId: string): void {
    this.#taken.delete(nameOf(userId, sessionId));
  }
}

function nameOf(userId: string, sessionId: string): string {
  return JSON.stringify([userId, sessionId]);
}
