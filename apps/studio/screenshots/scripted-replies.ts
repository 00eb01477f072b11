import type { Reply } from "../e2e/model-server.ts";

interface ScriptedReply extends Omit<Reply, "words"> {
  readonly to: RegExp;
  readonly text: string;
}

const OTHER: ScriptedReply = {
  to: /./,
  text: "Thyme, sage and oregano: they take wind and dry out slowly. **Put rosemary on the windward side**, where it shelters the rest.",
};
const REPLIES: readonly ScriptedReply[] = [
  { to: /^Hi!/, text: "Hi! Short it is. What are you working on?" },
  {
    to: /lavender/,
    text: "In the driest bed. Porto is wet, so give it:\n\n- coarse soil, two parts to one\n- a slope, or a bed that drains\n- six hours of sun",
  },
  { to: /live, again/, text: "In Porto." },
  {
    to: /deep must the soil/,
    thoughts: "Thyme needs 15 cm, rosemary more. Load is the limit, so go for the least that works.",
    text: "About **15 cm** for thyme and sedum, and 25 cm for rosemary.",
  },
  {
    to: /^Plan the beds/,
    text: `Three beds. Rosemary on the windward side, thyme in front of it. ${"Leave a path of 40 cm between them. ".repeat(80)}`,
    pause: 60,
  },
  { to: /water come from/, text: "", status: 500 },
  {
    to: /^Tell me all about/,
    text: "Sedum and thyme take wind and shallow soil. Water them once a week in summer, and less in spring. ".repeat(
      24,
    ),
  },
  {
    to: /\p{Script=Hebrew}/u,
    text: "בתל אביב חם ולח. אפשר לשתול:\n\n- רוזמרין: עמיד לרוח\n- `thyme` (קורנית)\n\nבהצלחה!",
  },
];

const known = { confidence: "high", updates_previous: false };
const FACTS = [
  { fact: "User lives in Porto", category: "identity", quote: "I live in Porto", ...known },
  { fact: "User prefers short answers", category: "preference", quote: "I prefer short answers", ...known },
];

/** Replies of the model in the screenshots. */
export function reply(question: string): Reply {
  if (question.includes("Return only a JSON array")) {
    return { words: [JSON.stringify(FACTS.filter(({ quote }) => question.includes(quote)))] };
  }
  const { to: _, text, ...rest } = REPLIES.find((one) => one.to.test(question)) ?? OTHER;
  return { words: text.split(/(?<= )/), ...rest };
}
