import type { SummaryProfile } from "./profile.ts";

/** Summary profile for work on code: files, decisions, finished and open work, errors. The default. */
export const codingProfile: SummaryProfile = {
  name: "coding",
  role: "a coding agent's conversation history",
  sections: [
    { title: "Original Task", instruction: "the user's original request, word for word" },
    { title: "Completed Work", instruction: "a table File/Component | Action | Description, each file touched" },
    { title: "Key Technical Decisions", instruction: "choices that affect what comes, dependencies, patterns" },
    { title: "Current State", instruction: "what is being worked on, what was completed last" },
    { title: "Pending Work", instruction: "a checklist of what remains" },
    { title: "Errors & Resolutions", instruction: "error → resolution, only if there were errors" },
  ],
  constraints: [
    "Use tables and bullet points for density",
    "Include exact file paths",
    "No code blocks unless absolutely critical",
  ],
  maxTokens: 800,
};
