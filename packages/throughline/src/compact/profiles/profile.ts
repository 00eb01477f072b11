/** What a summary looks like for a kind of work. Users add their own. */
export interface SummaryProfile {
  readonly name: string;
  /** Who is summarised, for the summariser. */
  readonly role: string;
  /** The headings that a summary has, with what goes under each. At least half of them make it one. */
  readonly sections: readonly { readonly title: string; readonly instruction: string }[];
  readonly constraints: readonly string[];
  /** Tokens of prose asked for; a little more is let pass. */
  readonly maxTokens: number;
}
