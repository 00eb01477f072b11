export const DEMO_TITLE = "Demo: a planner for roof gardens";

/** The demo conversation: pairs of a message and its reply. */
export const DEMO_SCRIPT: readonly (readonly [said: string, answered: string])[] = [
  [
    "Hi! My name is Mara and I live in Lisbon. I'm a landscape gardener.",
    "Hello Mara! **This conversation is a demo, written in advance: no model is answering.** Open *Memories* at the top right while it runs. You'll see what's picked up from your side of it and where each fact came from, and you can change or delete any of it.\n\nA landscape gardener in Lisbon, then. What are you working on?",
  ],
  [
    "I'm building an app called Terrace. It plans small roof gardens.",
    "Terrace sounds useful. Roof gardens have a few constraints that ordinary planners ignore:\n\n1. **Load**: wet soil weighs about 1.6 t per cubic meter, so depth is a structural question.\n2. **Wind**: gusts dry pots out and snap tall stems.\n3. **Water**: there's rarely a tap where you want one.\n\nIf the planner knows these three, it already answers questions that people otherwise pay for.",
  ],
  [
    "We use PostgreSQL for the plants. The app is written in TypeScript. Our deadline is 14 March.",
    "That's a solid pairing. One idea for the schema: keep what a plant *needs* (light, depth, water) apart from what a place *offers*, and make the match a query:\n\n```sql\nselect plant.name\nfrom plant\njoin place on place.light >= plant.light\n          and place.depth_cm >= plant.depth_cm\nwhere place.id = $1\norder by plant.height_cm desc;\n```\n\nThe tallest come first, so that the rest can be arranged around them. With 14 March in mind, I'd leave growth over time for a second version.",
  ],
  [
    "I prefer short answers without a preamble, by the way. And I don't like emoji.",
    "Noted: short, no preamble, no emoji.",
  ],
  [
    "Which five plants should the first test garden have? It gets six hours of sun and the beds are 25 cm deep.",
    "- Rosemary, prostrate form: shallow roots, takes wind\n- Thyme: covers soil, needs almost no water\n- Lavender, a dwarf variety: bees, and a clear success for the user\n- Sedum: survives neglect\n- Strawberries: people want something to eat\n\nAll five are content with 25 cm and six hours. Rosemary goes to the windward side.",
  ],
  [
    "Ines does the drawings. I prefer to work in the mornings.",
    "Then Ines gets the list of plants as sketches to draw, in order of height, and reviews fall into your mornings. A drawing for each of the five is enough for a first screen; the other plants can begin as a colored circle with a name.",
  ],
  [
    "What should we test with the first users?",
    "Three things, in this order:\n\n1. Can they enter a roof in under five minutes without measuring anything twice?\n2. Do they believe the list of plants? Ask what they would change, and why.\n3. Do they come back after a week to look something up?\n\nFive people are enough to find what's wrong. Write down what they *do*, not what they say they would do.",
  ],
  [
    "Good. I live in Porto now, so use Porto weather for the examples.",
    "Porto, then: cooler, wetter, with more wind from the west than Lisbon. For the examples that means sedum and thyme keep their place, lavender wants the driest bed, and strawberries do better than they would have in Lisbon.\n\nLook at your memories now: Porto has replaced Lisbon. The old memory stays as what *was* true.",
  ],
  [
    "Thanks, that's enough for today.",
    "You're welcome. Two things to try now: click the ring at the top to see what fills the context, and choose **Summarize now** there. The model then gets a summary of earlier messages. Nothing is deleted, and *Undo* brings them back.",
  ],
];
