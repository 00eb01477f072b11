/** First-in, first-out queues of pending call ids, by key. */
export class CallQueue {
  readonly #waiting = new Map<string, { readonly ids: string[]; next: number }>();

  add(key: string, id: string): void {
    const found = this.#waiting.get(key);
    if (found === undefined) this.#waiting.set(key, { ids: [id], next: 0 });
    else found.ids.push(id);
  }

  take(key: string): string | undefined {
    const found = this.#waiting.get(key);
    const id = found?.ids[found.next];
    if (found !== undefined && id !== undefined) found.next += 1;
    return id;
  }
}
