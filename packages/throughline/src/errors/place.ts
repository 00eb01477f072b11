/** A position in a list of messages. Both numbers are zero-based. */
export interface Place {
  readonly message: number;
  readonly part?: number;
}

/** Formats a position: `message 12, part 3`. */
export function describePlace({ message, part }: Place): string {
  return part === undefined ? `message ${message}` : `message ${message}, part ${part}`;
}
