/** A position in a list of messages. Both numbers count from 0, as array indices do. */
export interface Place {
  readonly message: number;
  readonly part?: number;
}

/** `message 12, part 3`: the same words in every error and violation. */
export function describePlace({ message, part }: Place): string {
  return part === undefined ? `message ${message}` : `message ${message}, part ${part}`;
}
