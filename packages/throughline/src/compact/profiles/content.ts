import type { SummaryProfile } from "./profile.ts";

/** Summary profile for work on content in a CMS: pages, sections, ids, and what the user accepted or refused. */
export const contentProfile: SummaryProfile = {
  name: "content",
  role: "a content agent's conversation, to be continued in a new window",
  sections: [
    { title: "What Was Accomplished", instruction: "pages, sections, posts, settings and images, with ids and slugs" },
    { title: "Current State", instruction: "which page or section is worked on, what is half done" },
    { title: "User Preferences", instruction: "design, tone, explicit wishes, and what the user said no to" },
    { title: "What Comes Next", instruction: "remaining tasks, follow-ups, open questions" },
    { title: "Technical Context", instruction: "ids of pages, sections, posts and images, errors, calls in progress" },
  ],
  constraints: ["Be specific: names, ids and values, no vague phrases"],
  maxTokens: 2_000,
};
