import type { SummaryProfile } from "./profile.ts";

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
