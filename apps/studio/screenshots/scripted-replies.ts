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
    to: /^How deep should the beds be/,
    text: `Plan three depths, because weight decides more than space. Sedum and thyme live in **10 cm**, herbs such as sage and oregano want **20 cm**, and anything with a stem, such as lavender or a dwarf pine, needs **35 cm**.

Wet soil weighs about 14 kg per square meter and centimeter. A bed of 20 cm is 280 kg per square meter, so ask for the load of your roof before you buy soil. Lightweight mixes with pumice halve that.

Put the deep beds along the load-bearing walls and the shallow ones in the middle. Give each bed a layer of expanded clay at the bottom and a fleece above it, so that the soil stays and the water leaves. Leave a gap of five centimeters to the parapet: leaves that collect there can be swept out, and the seal stays visible.

Order the soil last. It settles by a tenth in the first winter, so fill the beds to the rim.`,
  },
  {
    to: /^Where should the paths go/,
    text: `Start with the two places that you visit daily: the tap and the chair. The main path joins them in a straight line, **80 cm** wide, so that a person with a watering can passes a person without one.

Side paths may be half as wide, and no bed should be deeper than an arm from its path, about 70 cm. That gives you beds of 1.4 m between two paths, which is also the length of most boards.

Use wooden tiles on pads rather than gravel: gravel wanders, blocks the outlet and cannot be swept. Keep the tiles loose, because the roof has to be inspected once a year. Around each outlet leave a square of four tiles that can be lifted without tools.

On the windward side let the path run along the parapet. Plants there dry out first, and you will want to see them without crossing a bed.`,
  },
  {
    to: /^How much water will it need/,
    text: `Count on **four liters per square meter and day** in July for herbs, and half of that for sedum. With six square meters of herbs and four of sedum you need 32 liters, which is three walks with a can, or twelve minutes of a drip line.

A barrel of 200 liters lasts six days. Place it above a wall, never in the middle of the roof, because it weighs as much as three people. A timer at the tap costs less than the plants of one dry week.

Water in the early morning, at the roots, and less often than you think: the soil should be dry to the depth of a finger. In spring once a week is enough, and in winter only evergreens need a little on days without frost.

If leaves turn yellow from below, it was too much. If they curl, it was too little, or the wind.`,
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
