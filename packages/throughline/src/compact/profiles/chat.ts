import type { SummaryProfile } from "./profile.ts";

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
