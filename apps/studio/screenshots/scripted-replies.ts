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
  {
    to: /table and some code/,
    text: `Three plants fit a bed of 25 cm:

| Plant | Depth | Sun | Wind |
| --- | ---: | ---: | --- |
| Rosemary, prostrate form | 25 cm | 6 h | takes it |
| Thyme | 15 cm | 6 h | takes it |
| Lavender, a dwarf variety | 20 cm | 6 h | needs shelter on the west side |

The same as a query:

\`\`\`ts
const fitting = plants
  .filter((plant) => plant.depthCm <= bed.depthCm && plant.hoursOfSun <= bed.hoursOfSun && plant.height <= 60)
  .toSorted((one, other) => other.height - one.height);
\`\`\`

> The tallest come first, so the rest can be arranged around them.

1. Draw the beds.
2. Mark the windward side with \`wind: "west"\`.
3. Order the soil.`,
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
