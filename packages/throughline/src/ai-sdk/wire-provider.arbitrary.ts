import { countTokens } from "../tokens/count-tokens.ts";

/** What the model behind the server answers. */
export interface Reply {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object }[];
}

export interface Provider {
  /** Tokens that it takes, input and reply together. */
  limit: number;
  /** What it counts for each token of ours. */
  bias: number;
  answer: (body: string) => Reply;
}

/** What goes over the wire, and why it is a refusal, where it is one. */
export interface WireAnswer {
  readonly body?: unknown;
  readonly events?: readonly string[];
  readonly refusal?: string;
  readonly isOverflow?: boolean;
}

export function countAll(value: unknown, { bias }: Provider): number {
  return Math.ceil(countTokens(JSON.stringify(value)) * bias);
}
