import type { SummaryProfile } from "./profile.ts";

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
