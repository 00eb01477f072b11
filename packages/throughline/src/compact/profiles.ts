import { InvalidOptionError } from "../errors/input-errors.ts";

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

/** Summary profile for a conversation: people, preferences, facts, plans. */
export const chatProfile: SummaryProfile = {
  name: "chat",
  style: "chat",
  role: "a conversation with an assistant",
  sections: [
    { title: "People", instruction: "who is who, and how they relate" },
    { title: "Preferences", instruction: "what the user likes, dislikes and asked for" },
    {
      title: "Facts and Answers",
      instruction: "facts, answers, advice with its reasons, and promises that matter later",
    },
    { title: "Plans", instruction: "what was agreed, with dates, and what is open" },
  ],
  constraints: ["Keep names, dates and numbers exactly", "Leave out greetings, thanks, praise and offers to help"],
  maxTokens: 800,
};

/** Summary profile for work on code: files, decisions, finished and open work, errors. The default. */
export const codingProfile: SummaryProfile = {
  name: "coding",
  role: "a coding agent's conversation history",
  sections: [
    { title: "Original Task", instruction: "Preserve the user's original request verbatim" },
    {
      title: "Completed Work",
      instruction: "Table | File/Component | Action | Description |: list each file touched with what was done",
    },
    {
      title: "Key Technical Decisions",
      instruction:
        "Bullet list of choices that affect future work. Include dependencies installed, patterns used, etc.",
    },
    {
      title: "Current State",
      instruction: "Working on: what's in progress. Last completed: most recent accomplishment",
    },
    { title: "Pending Work", instruction: "Remaining items as checklist" },
    {
      title: "Errors & Resolutions",
      instruction: "Only include if errors were encountered. Format: error → resolution",
    },
  ],
  constraints: [
    "Use tables and bullet points for density",
    "Include exact file paths",
    "No code blocks unless absolutely critical",
  ],
  maxTokens: 800,
};

/** Summary profile for work on content in a CMS: pages, sections, ids, and what the user accepted or refused. */
export const contentProfile: SummaryProfile = {
  name: "content",
  role: "a CMS agent conversation to help continue it in a new context window",
  sections: [
    {
      title: "What Was Accomplished",
      instruction:
        "Pages created/modified (include IDs and slugs), sections added/updated (include section types), content written or edited, site settings changed (navigation, header, footer), images uploaded or attached",
    },
    {
      title: "Current State",
      instruction:
        "Which page/section is being worked on now, what the user is trying to achieve, any partially completed tasks",
    },
    {
      title: "User Preferences",
      instruction:
        'Critical. Design choices mentioned (colors, layouts, styles), content tone/style preferences, any explicit "I want..." or "Make it..." instructions, rejected options (things the user said NO to)',
    },
    {
      title: "What Comes Next",
      instruction:
        "Remaining tasks from user's original request, any follow-up actions needed, unresolved questions or decisions",
    },
    {
      title: "Technical Context",
      instruction:
        "Relevant IDs (pageId, sectionId, postId, imageId), error states if any occurred, tool calls that were in progress",
    },
  ],
  constraints: [
    "Be specific. Use actual names, IDs, and values. Don't summarize with vague phrases",
    "The AI continuing this conversation will NOT have access to the original messages: make the summary actionable",
  ],
  maxTokens: 2_000,
  maxOutputTokens: 2_000,
};

/** Name of a profile of the package. */
export type ProfileName = "coding" | "content" | "chat";

const PROFILES: Readonly<Record<ProfileName, SummaryProfile>> = {
  coding: codingProfile,
  content: contentProfile,
  chat: chatProfile,
};

/** Returns a profile by its name, or the given profile. */
export function findProfile(profile: ProfileName | SummaryProfile = "coding"): SummaryProfile {
  const found =
    typeof profile === "string" ? (Object.hasOwn(PROFILES, profile) ? PROFILES[profile] : undefined) : profile;
  if (Array.isArray(found?.sections)) return found;
  const names = Object.keys(PROFILES).join(", ");
  throw new InvalidOptionError("profile", JSON.stringify(profile), `one of ${names}, or a profile with sections`);
}
