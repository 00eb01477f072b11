/** An ordinary message with what is remembered of it, and with the rules of it that a session keeps. */
export interface OrdinaryMessage {
  readonly text: string;
  readonly facts: readonly string[];
  readonly rules: readonly string[];
}

/** Messages in which people say what they want and who they are, beside code, files and signs of all kinds. */
export const ORDINARY: readonly OrdinaryMessage[] = [
  { text: "Always use tabs.", facts: ["User wants: always use tabs"], rules: ["Always use tabs."] },
  { text: "Please never force-push to main.", facts: [], rules: ["Please never force-push to main."] },
  {
    text: "From now on answer in German.",
    facts: ["User wants: always answer in German"],
    rules: ["From now on answer in German."],
  },
  {
    text: "Don't add comments to the code.",
    facts: ["User wants: never add comments to the code"],
    rules: ["Don't add comments to the code."],
  },
  { text: "Here is what I want: never force-push.", facts: [], rules: ["Here is what I want: never force-push."] },
  { text: "One thing: always use named exports.", facts: [], rules: ["One thing: always use named exports."] },
  { text: "Note: never commit secrets.", facts: [], rules: ["Note: never commit secrets."] },
  {
    text: "Important: always run the linter before a commit.",
    facts: [],
    rules: ["Important: always run the linter before a commit."],
  },
  {
    text: "Rules:\n- Never force-push.\n- Always use tabs.",
    facts: [],
    rules: ["Never force-push.", "Always use tabs."],
  },
  {
    text: "My preferences:\n1. Always answer in English.\n2. Never use emojis.",
    facts: ["User wants: always answer in English", "User wants: never use emojis"],
    rules: ["Always answer in English.", "Never use emojis."],
  },
  {
    text: "A few things to remember:\n* Never touch src/legacy.\n* Always write tests first.",
    facts: [],
    rules: ["Never touch src/legacy.", "Always write tests first."],
  },
  {
    text: "We use pnpm: never use npm.",
    facts: ["Project uses pnpm: never use npm"],
    rules: ["We use pnpm: never use npm."],
  },
  {
    text: "Fix the bug. Never change the public API.",
    facts: ["User wants: never change the public API"],
    rules: ["Never change the public API."],
  },
  {
    text: "I live in Lisbon and I work as a nurse.",
    facts: ["User lives in Lisbon", "User works as a nurse"],
    rules: [],
  },
  {
    text: "My name is Ada. I prefer short answers.",
    facts: ["User's name is Ada", "User prefers short answers"],
    rules: ["I prefer short answers."],
  },
  {
    text: '<file path="a.ts">\nconst a = 1;\n</file>\nAlways use tabs in this project.',
    facts: ["User wants: always use tabs in this project"],
    rules: ["Always use tabs in this project."],
  },
  {
    text: 'Always use tabs in this project.\n<file path="a.ts">\nconst a = 1;\n</file>',
    facts: ["User wants: always use tabs in this project"],
    rules: ["Always use tabs in this project."],
  },
  {
    text: "<system-reminder>\nToday is Monday.\n</system-reminder>\n\nNever mention the date.",
    facts: ["User wants: never mention the date"],
    rules: ["Never mention the date."],
  },
  {
    text: "Never mention the date.\n<system-reminder>\nToday is Monday.\n</system-reminder>",
    facts: ["User wants: never mention the date"],
    rules: ["Never mention the date."],
  },
  {
    text: "<document>\nSome text.\n</document>\n\nSummarize it. From now on keep summaries short.",
    facts: ["User wants: always keep summaries short"],
    rules: ["From now on keep summaries short."],
  },
  {
    text: "```ts\nconst a = 1;\n```\nAlways use tabs.",
    facts: ["User wants: always use tabs"],
    rules: ["Always use tabs."],
  },
  {
    text: "Always use tabs.\n```\nconst a = 1;\n```",
    facts: ["User wants: always use tabs"],
    rules: ["Always use tabs."],
  },
  {
    text: "Why does this fail?\n\n```\nfoo()\n```\n\nNever use any in the fix. I use TypeScript.",
    facts: ["User wants: never use any in the fix", "User uses TypeScript"],
    rules: ["Never use any in the fix."],
  },
  {
    text: "Here is my code:\n```js\nfoo()\n```\nNever use var.",
    facts: ["User wants: never use var"],
    rules: ["Never use var."],
  },
  {
    text: "Contents of a.ts:\n```\nlet a\n```\nAlways use const.",
    facts: ["User wants: always use const"],
    rules: ["Always use const."],
  },
  {
    text: "Always use `const` and never use `var`.",
    facts: ["User wants: always use `const` and never use `var`"],
    rules: ["Always use `const` and never use `var`."],
  },
  {
    text: "Never return `Array<string>` from an endpoint.",
    facts: ["User wants: never return `Array<string>` from an endpoint"],
    rules: ["Never return `Array<string>` from an endpoint."],
  },
  {
    text: "Use Array<string> instead of string[]. Never use any.",
    facts: ["User wants: use Array<string> instead of string[]", "User wants: never use any"],
    rules: ["Never use any."],
  },
  {
    text: "Prefer Map<string, number> over plain objects.",
    facts: ["User wants: prefer Map<string, number> over plain objects"],
    rules: ["Prefer Map<string, number> over plain objects."],
  },
  {
    text: "I love this <3. Always answer with a smile.",
    facts: ["User wants: always answer with a smile"],
    rules: ["Always answer with a smile."],
  },
  {
    text: "Data flows a -> b => c. Never skip a step.",
    facts: ["User wants: never skip a step"],
    rules: ["Never skip a step."],
  },
  {
    text: "Never use <div> for buttons.",
    facts: ["User wants: never use <div> for buttons"],
    rules: ["Never use <div> for buttons."],
  },
  {
    text: "Wrap the text in a `<span>`. Never use inline styles.",
    facts: ["User wants: never use inline styles"],
    rules: ["Never use inline styles."],
  },
  {
    text: "Always name branches feature/<ticket>-<slug>.",
    facts: ["User wants: always name branches feature/<ticket>-<slug>"],
    rules: [],
  },
  {
    text: 'Always start answers with "Sure".',
    facts: ['User wants: always start answers with "Sure"'],
    rules: ['Always start answers with "Sure".'],
  },
  {
    text: "Never call it \"the 'new' thing\" in the docs.",
    facts: ["User wants: never call it \"the 'new' thing\" in the docs"],
    rules: ["Never call it \"the 'new' thing\" in the docs."],
  },
  { text: 'She said "I live in Rome". I live in Lisbon.', facts: ["User lives in Lisbon"], rules: [] },
  { text: "> I live in Paris.\n\nI live in Lisbon.", facts: ["User lives in Lisbon"], rules: [] },
  {
    text: "Remember that our staging server is at staging.example.com.",
    facts: ["Project's staging server is at staging.example.com"],
    rules: ["Remember that our staging server is at staging.example.com."],
  },
  {
    text: "Our test command is `npm run test:unit`.",
    facts: ["Project's test command is npm run test:unit"],
    rules: [],
  },
  {
    text: "The deploy script is scripts/deploy.sh. Never run it by hand.",
    facts: ["Project's deploy script is scripts/deploy.sh", "User wants: never run it by hand"],
    rules: ["Never run it by hand."],
  },
  {
    text: "We decided to use PostgreSQL because it has JSON columns.",
    facts: ["The team decided to use PostgreSQL"],
    rules: [],
  },
  {
    text: "Use 2 spaces instead of tabs.",
    facts: ["User wants: use 2 spaces instead of tabs"],
    rules: ["Use 2 spaces instead of tabs."],
  },
  {
    text: "Always follow [the style guide](https://example.com/style).",
    facts: ["User wants: always follow [the style guide](https://example.com/style)"],
    rules: ["Always follow [the style guide](https://example.com/style)."],
  },
  {
    text: "Look at https://example.com/a?b=c: it explains the format. Never change the format.",
    facts: ["User wants: never change the format"],
    rules: ["Never change the format."],
  },
  {
    text: "It is 10:30 now. Never call me before 12:00.",
    facts: ["User wants: never call them before 12:00"],
    rules: ["Never call me before 12:00."],
  },
  {
    text: "- [ ] Fix the login\n- [x] Update the docs\n\nNever close issues without a test.",
    facts: [],
    rules: ["Never close issues without a test."],
  },
  {
    text: "Please do three things:\n1) run the linter\n2) fix what it says\n3) commit\n\nNever commit to main.",
    facts: ["User wants: never commit to main"],
    rules: ["Never commit to main."],
  },
  {
    text: "I'm using React 19 and TypeScript. Don't use class components.",
    facts: ["User uses React 19 and TypeScript", "User wants: never use class components"],
    rules: ["Don't use class components."],
  },
  {
    text: "   Always answer in French.   ",
    facts: ["User wants: always answer in French"],
    rules: ["Always answer in French."],
  },
  { text: "Actually, I moved to Berlin.", facts: ["User moved to Berlin"], rules: [] },
  {
    text: "Call me Ada. I'm a data scientist at Acme.",
    facts: ["User's name is Ada", "User is a data scientist at Acme"],
    rules: [],
  },
  {
    text: "Backend: we use Hono. Frontend: we use React.",
    facts: ["Project uses Hono", "Project uses React"],
    rules: [],
  },
  {
    text: "Style:\nAlways use single quotes.",
    facts: ["User wants: always use single quotes"],
    rules: ["Always use single quotes."],
  },
  {
    text: "For commit messages: always use the imperative mood.",
    facts: [],
    rules: ["For commit messages: always use the imperative mood."],
  },
  {
    text: "Can you review src/a.ts and src/b.ts? Never touch src/c.ts.",
    facts: ["User wants: never touch src/c.ts"],
    rules: ["Never touch src/c.ts."],
  },
  {
    text: "The error is gone :) Always explain the cause of a fix.",
    facts: [],
    rules: ["The error is gone :) Always explain the cause of a fix."],
  },
  {
    text: "My dog is called Barnaby & my cat is called Tom.",
    facts: ["User's dog is called Barnaby & my cat is called Tom"],
    rules: [],
  },
  {
    text: "Price is 5€/month; never show prices in dollars.",
    facts: [],
    rules: ["Price is 5€/month; never show prices in dollars."],
  },
];
