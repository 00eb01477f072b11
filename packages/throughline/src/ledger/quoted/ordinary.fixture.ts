/** An ordinary message, with the facts that memory saves and the rules that the session keeps. */
export interface OrdinaryMessage {
  readonly text: string;
  readonly facts: readonly string[];
  readonly rules: readonly string[];
}

/** Messages with wishes and self-descriptions of people, next to code, files and markup of all kinds. */
export const ORDINARY: readonly OrdinaryMessage[] = [
  { text: "Always use tabs.", facts: ["Always use tabs"], rules: ["Always use tabs."] },
  {
    text: "Please never force-push to main.",
    facts: ["Please never force-push to main"],
    rules: ["Please never force-push to main."],
  },
  {
    text: "From now on answer in German.",
    facts: ["From now on answer in German"],
    rules: ["From now on answer in German."],
  },
  {
    text: "Don't add comments to the code.",
    facts: ["Don't add comments to the code"],
    rules: ["Don't add comments to the code."],
  },
  {
    text: "Here is what I want: never force-push.",
    facts: ["Here is what I want: never force-push"],
    rules: ["Here is what I want: never force-push."],
  },
  {
    text: "One thing: always use named exports.",
    facts: ["One thing: always use named exports"],
    rules: ["One thing: always use named exports."],
  },
  {
    text: "Note: never commit secrets.",
    facts: ["Note: never commit secrets"],
    rules: ["Note: never commit secrets."],
  },
  {
    text: "Important: always run the linter before a commit.",
    facts: ["Important: always run the linter before a commit"],
    rules: ["Important: always run the linter before a commit."],
  },
  {
    text: "Rules:\n- Never force-push.\n- Always use tabs.",
    facts: ["Always use tabs"],
    rules: ["Never force-push.", "Always use tabs."],
  },
  {
    text: "My preferences:\n1. Always answer in English.\n2. Never use emojis.",
    facts: ["Always answer in English", "Never use emojis"],
    rules: ["Always answer in English.", "Never use emojis."],
  },
  {
    text: "A few things to remember:\n* Never touch src/legacy.\n* Always write tests first.",
    facts: ["Never touch src/legacy", "Always write tests first"],
    rules: ["Never touch src/legacy.", "Always write tests first."],
  },
  {
    text: "We use pnpm: never use npm.",
    facts: ["We use pnpm: never use npm"],
    rules: ["We use pnpm: never use npm."],
  },
  {
    text: "Fix the bug. Never change the public API.",
    facts: ["Never change the public API"],
    rules: ["Never change the public API."],
  },
  {
    text: "I live in Lisbon and I work as a nurse.",
    facts: ["I live in Lisbon", "I work as a nurse"],
    rules: [],
  },
  {
    text: "My name is Ada. I prefer short answers.",
    facts: ["My name is Ada", "I prefer short answers"],
    rules: ["I prefer short answers."],
  },
  {
    text: '<file path="a.ts">\nconst a = 1;\n</file>\nAlways use tabs in this project.',
    facts: ["Always use tabs in this project"],
    rules: ["Always use tabs in this project."],
  },
  {
    text: 'Always use tabs in this project.\n<file path="a.ts">\nconst a = 1;\n</file>',
    facts: ["Always use tabs in this project"],
    rules: ["Always use tabs in this project."],
  },
  {
    text: "<system-reminder>\nToday is Monday.\n</system-reminder>\n\nNever mention the date.",
    facts: ["Never mention the date"],
    rules: ["Never mention the date."],
  },
  {
    text: "Never mention the date.\n<system-reminder>\nToday is Monday.\n</system-reminder>",
    facts: ["Never mention the date"],
    rules: ["Never mention the date."],
  },
  {
    text: "<document>\nSome text.\n</document>\n\nSummarize it. From now on keep summaries short.",
    facts: ["From now on keep summaries short"],
    rules: ["From now on keep summaries short."],
  },
  {
    text: "```ts\nconst a = 1;\n```\nAlways use tabs.",
    facts: ["Always use tabs"],
    rules: ["Always use tabs."],
  },
  {
    text: "Always use tabs.\n```\nconst a = 1;\n```",
    facts: ["Always use tabs"],
    rules: ["Always use tabs."],
  },
  {
    text: "Why does this fail?\n\n```\nfoo()\n```\n\nNever use any in the fix. I use TypeScript.",
    facts: ["Never use any in the fix", "I use TypeScript"],
    rules: ["Never use any in the fix."],
  },
  {
    text: "Here is my code:\n```js\nfoo()\n```\nNever use var.",
    facts: ["Never use var"],
    rules: ["Never use var."],
  },
  {
    text: "Contents of a.ts:\n```\nlet a\n```\nAlways use const.",
    facts: ["Always use const"],
    rules: ["Always use const."],
  },
  {
    text: "Always use `const` and never use `var`.",
    facts: ["Always use `const` and never use `var`"],
    rules: ["Always use `const` and never use `var`."],
  },
  {
    text: "Never return `Array<string>` from an endpoint.",
    facts: ["Never return `Array<string>` from an endpoint"],
    rules: ["Never return `Array<string>` from an endpoint."],
  },
  {
    text: "Use Array<string> instead of string[]. Never use any.",
    facts: ["Use Array<string> instead of string[]", "Never use any"],
    rules: ["Never use any."],
  },
  {
    text: "Prefer Map<string, number> over plain objects.",
    facts: ["Prefer Map<string, number> over plain objects"],
    rules: ["Prefer Map<string, number> over plain objects."],
  },
  {
    text: "I love this <3. Always answer with a smile.",
    facts: ["Always answer with a smile"],
    rules: ["Always answer with a smile."],
  },
  {
    text: "Data flows a -> b => c. Never skip a step.",
    facts: ["Never skip a step"],
    rules: ["Never skip a step."],
  },
  {
    text: "Never use <div> for buttons.",
    facts: ["Never use <div> for buttons"],
    rules: ["Never use <div> for buttons."],
  },
  {
    text: "Wrap the text in a `<span>`. Never use inline styles.",
    facts: ["Never use inline styles"],
    rules: ["Never use inline styles."],
  },
  {
    text: "Always name branches feature/<ticket>-<slug>.",
    facts: ["Always name branches feature/<ticket>-<slug>"],
    rules: [],
  },
  {
    text: 'Always start answers with "Sure".',
    facts: ['Always start answers with "Sure"'],
    rules: ['Always start answers with "Sure".'],
  },
  {
    text: "Never call a release \"the 'new' thing\" in the docs.",
    facts: ["Never call a release \"the 'new' thing\" in the docs"],
    rules: ["Never call a release \"the 'new' thing\" in the docs."],
  },
  { text: 'She said "I live in Rome". I live in Lisbon.', facts: ["I live in Lisbon"], rules: [] },
  { text: "> I live in Paris.\n\nI live in Lisbon.", facts: ["I live in Lisbon"], rules: [] },
  {
    text: "Remember that our staging server is at staging.example.com.",
    facts: ["our staging server is at staging.example.com"],
    rules: ["Remember that our staging server is at staging.example.com."],
  },
  {
    text: "Our test command is `npm run test:unit`.",
    facts: ["Our test command is `npm run test:unit`"],
    rules: [],
  },
  {
    text: "The deploy script is scripts/deploy.sh. Never run it by hand.",
    facts: ["The deploy script is scripts/deploy.sh. Never run it by hand"],
    rules: ["Never run it by hand."],
  },
  {
    text: "We decided to use PostgreSQL because it has JSON columns.",
    facts: ["We decided to use PostgreSQL because it has JSON columns"],
    rules: [],
  },
  {
    text: "Use 2 spaces instead of tabs.",
    facts: ["Use 2 spaces instead of tabs"],
    rules: ["Use 2 spaces instead of tabs."],
  },
  {
    text: "Always follow [the style guide](https://example.com/style).",
    facts: ["Always follow [the style guide](https://example.com/style)"],
    rules: ["Always follow [the style guide](https://example.com/style)."],
  },
  {
    text: "Look at https://example.com/a?b=c: it explains the format. Never change the format.",
    facts: ["Never change the format"],
    rules: ["Never change the format."],
  },
  {
    text: "It is 10:30 now. Never call me before 12:00.",
    facts: ["Never call me before 12:00"],
    rules: ["Never call me before 12:00."],
  },
  {
    text: "- [ ] Fix the login\n- [x] Update the docs\n\nNever close issues without a test.",
    facts: [],
    rules: ["Never close issues without a test."],
  },
  {
    text: "Please do three things:\n1) run the linter\n2) fix what it says\n3) commit\n\nNever commit to main.",
    facts: ["Never commit to main"],
    rules: ["Never commit to main."],
  },
  {
    text: "I'm using React 19 and TypeScript. Don't use class components.",
    facts: ["I'm using React 19 and TypeScript", "Don't use class components"],
    rules: ["Don't use class components."],
  },
  {
    text: "   Always answer in French.   ",
    facts: ["Always answer in French"],
    rules: ["Always answer in French."],
  },
  { text: "Actually, I moved to Berlin.", facts: ["I moved to Berlin"], rules: [] },
  {
    text: "Call me Ada. I'm a data scientist at Acme.",
    facts: ["Call me Ada", "I'm a data scientist at Acme"],
    rules: [],
  },
  {
    text: "Backend: we use Hono. Frontend: we use React.",
    facts: ["Backend: we use Hono", "Frontend: we use React"],
    rules: [],
  },
  {
    text: "Style:\nAlways use single quotes.",
    facts: ["Always use single quotes"],
    rules: ["Always use single quotes."],
  },
  {
    text: "For commit messages: always use the imperative mood.",
    facts: ["For commit messages: always use the imperative mood"],
    rules: ["For commit messages: always use the imperative mood."],
  },
  {
    text: "Can you review src/a.ts and src/b.ts? Never touch src/c.ts.",
    facts: ["Never touch src/c.ts"],
    rules: ["Never touch src/c.ts."],
  },
  {
    text: "The error is gone :) Always explain the cause of a fix.",
    facts: [],
    rules: ["The error is gone :) Always explain the cause of a fix."],
  },
  {
    text: "My dog is called Barnaby & my cat is called Tom.",
    facts: ["My dog is called Barnaby & my cat is called Tom"],
    rules: [],
  },
  {
    text: "Price is 5€/month; never show prices in dollars.",
    facts: ["never show prices in dollars"],
    rules: ["Price is 5€/month; never show prices in dollars."],
  },
];
