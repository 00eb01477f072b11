/**
 * Sections and size of a summary for one kind of work. You can define your own.
 *
 * @example
 * const support: SummaryProfile = {
 *   name: "support",
 *   role: "a support conversation",
 *   sections: [
 *     { title: "Problem", instruction: "what the customer reported" },
 *     { title: "Tried", instruction: "steps and their results" },
 *   ],
 *   constraints: ["Keep order numbers exactly"],
 *   maxTokens: 600,
 * };
 */
export interface SummaryProfile {
  /** Name of the profile, of your choice. */
  readonly name: string;
  /** For whom the summary is written: "chat" keeps rounds, handles and outcomes out of it (default: "agent"). */
  readonly style?: "agent" | "chat";
  /** Description of the conversation, for the prompt: "a conversation with an assistant". */
  readonly role: string;
  /** Sections of the summary, with an instruction for each. A reply with less than half of them is rejected. */
  readonly sections: readonly { readonly title: string; readonly instruction: string }[];
  /** Additional rules for the prompt. */
  readonly constraints: readonly string[];
  /** Maximum tokens of prose, as stated in the prompt. Replies of up to 1.5 times that are accepted. */
  readonly maxTokens: number;
  /** Maximum tokens that the model may write. Default: 1.25 times `maxTokens`. */
  readonly maxOutputTokens?: number;
}
