import { describe, expect, it } from "vitest";
import { isSmallTalk } from "./small-talk.ts";

const SMALL_TALK = [
  "Great question!",
  "Hey Ana! Good to see you!",
  "How have you been?",
  "You're very welcome, Ana!",
  "Thank you so much for your help!",
  "Thanks a lot, Ana!",
  "Wow, that photo is great!",
  "That sounds like a great idea!",
  "Your courage is inspiring.",
  "Congrats, Ana!",
  "Good luck with your application!",
  "I'm sorry to hear that.",
  "Appreciate the kind words <3",
  "Absolutely!",
  "Let me know if you have any other questions.",
  "If you need anything else, feel free to ask!",
  "I hope this helps!",
  "I'd be happy to help you with that.",
  "Have a great day!",
  "See you at the party!",
  "Gute Frage!",
  "Sag einfach Bescheid, wenn du noch etwas brauchst.",
  "¡De nada!",
  "N'hésitez pas à me contacter.",
  "Boa sorte!",
  "Спасибо!",
  "如果您还有其他问题，请随时告诉我。",
  "ありがとうございます。",
];

const STATEMENTS = [
  "Thanks, I moved to Lisbon in May.",
  "Thanks, the train leaves at nine.",
  "Hey Ana, the train is late.",
  "Certainly, the treaty was signed in Vienna.",
  "Sure, the train leaves from platform 4.",
  "That's a great fit because Redis keeps the order.",
  "You're right that the cache is stale, but the fix is in `a.ts`.",
  "The view from the top was amazing!",
  "All 214 tests pass!",
  "Hello World is printed twice.",
  "Welcome emails are sent by the worker.",
  "Best practice is to pin versions.",
  "Keep the old API until June.",
  "Happy path works, the error path is missing.",
  "Ask her directly what she enjoys.",
  "Danke, der Zug ist pünktlich.",
];

describe("isSmallTalk", () => {
  it("finds greetings, thanks, praise, farewells and offers in many languages", () => {
    expect(SMALL_TALK.filter((sentence) => !isSmallTalk(sentence))).toEqual([]);
  });

  it("leaves sentences that state something", () => {
    expect(STATEMENTS.filter(isSmallTalk)).toEqual([]);
  });
});
