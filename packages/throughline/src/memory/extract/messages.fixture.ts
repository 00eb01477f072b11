/** A message of a user, with quotes of the statements in it that hold beyond the current task. */
export interface LabelledMessage {
  readonly text: string;
  readonly facts: readonly string[];
}

/** Messages with lasting statements, written before any rule was tried on them. */
export const MESSAGES_WITH_FACTS: readonly LabelledMessage[] = [
  {
    text: "looks good, but error messages never end with a period in this codebase. can you fix the three you added?",
    facts: ["error messages never end with a period in this codebase"],
  },
  {
    text: "The staging cluster gets wiped every Sunday night, so don't bother keeping the seed data in there.",
    facts: ["The staging cluster gets wiped every Sunday night"],
  },
  {
    text: "We went with NATS over Kafka because nobody on the team wants to run ZooKeeper. Now wire up the consumer please.",
    facts: ["We went with NATS over Kafka because nobody on the team wants to run ZooKeeper."],
  },
  {
    text: "hm ok. btw run `just gen` after touching any .proto file, otherwise CI fails",
    facts: ["run `just gen` after touching any .proto file, otherwise CI fails"],
  },
  {
    text: "Priya owns the billing service, ask her before changing anything in there",
    facts: ["Priya owns the billing service, ask her before changing anything in there"],
  },
  {
    text: "I'd rather have three small pull requests than one huge one. split it",
    facts: ["I'd rather have three small pull requests than one huge one."],
  },
  { text: "No emojis in commit messages, ever.", facts: ["No emojis in commit messages, ever."] },
  {
    text: "why is there a mock here? we test against a real postgres in a container, mocks hid too many bugs",
    facts: ["we test against a real postgres in a container, mocks hid too many bugs"],
  },
  {
    text: "So the frontend talks to the gateway only; services are not reachable from outside. With that in mind, where would you put the rate limiter?",
    facts: ["the frontend talks to the gateway only; services are not reachable from outside."],
  },
  {
    text: "Please write dates as 2024-03-31 everywhere, our customers are all over the world",
    facts: ["Please write dates as 2024-03-31 everywhere, our customers are all over the world"],
  },
  {
    text: "ok merged. For the future: squash before you push, I don't want wip commits on main",
    facts: ["For the future: squash before you push, I don't want wip commits on main"],
  },
  {
    text: "Users on the free plan can export at most 100 rows, that's a product decision and stays like that.",
    facts: ["Users on the free plan can export at most 100 rows, that's a product decision and stays like that."],
  },
  {
    text: "I'm a physiotherapist, not a programmer, so explain it in plain words please",
    facts: ["I'm a physiotherapist, not a programmer, so explain it in plain words please"],
  },
  {
    text: "my daughter is allergic to peanuts, can you find me a cake recipe for saturday?",
    facts: ["my daughter is allergic to peanuts"],
  },
  {
    text: "I moved from Leeds to Rotterdam in May. What do I need to know about Dutch health insurance?",
    facts: ["I moved from Leeds to Rotterdam in May."],
  },
  {
    text: 'Internally we call the import job "the vacuum", just so you don\'t get confused by the logs.',
    facts: ['Internally we call the import job "the vacuum"'],
  },
  {
    text: "the API is public, so a field may be added but never renamed or removed",
    facts: ["the API is public, so a field may be added but never renamed or removed"],
  },
  {
    text: "You used fetch directly again. All requests go through src/http.ts, it adds the auth header and the retries.",
    facts: ["All requests go through src/http.ts, it adds the auth header and the retries."],
  },
  {
    text: "Perfect. Keep it that short from now on.",
    facts: ["Keep it that short from now on."],
  },
  {
    text: "We support the last two versions of Node, which means no top level await in the cjs build",
    facts: ["We support the last two versions of Node, which means no top level await in the cjs build"],
  },
  {
    text: "Schreib die Kommentare bitte grundsätzlich auf Englisch, auch wenn wir hier deutsch reden.",
    facts: ["Schreib die Kommentare bitte grundsätzlich auf Englisch, auch wenn wir hier deutsch reden."],
  },
  {
    text: "Kannst du den Test reparieren? Wir benutzen übrigens pnpm und nicht npm.",
    facts: ["Wir benutzen übrigens pnpm und nicht npm."],
  },
  {
    text: "Nunca hagas deploy los viernes. Y ahora dime qué falta en el changelog.",
    facts: ["Nunca hagas deploy los viernes."],
  },
  {
    text: "Decidimos guardar los precios en céntimos porque los decimales daban errores de redondeo.",
    facts: ["Decidimos guardar los precios en céntimos porque los decimales daban errores de redondeo."],
  },
  {
    text: "Je suis végétarienne et j'habite à Lyon. Une idée de restaurant pour ce soir ?",
    facts: ["Je suis végétarienne et j'habite à Lyon."],
  },
  {
    text: "Chez nous chaque migration doit avoir un script de retour arrière.",
    facts: ["Chez nous chaque migration doit avoir un script de retour arrière."],
  },
  {
    text: "Aqui a gente usa Terraform pra tudo, nada é criado na mão no console.",
    facts: ["Aqui a gente usa Terraform pra tudo, nada é criado na mão no console."],
  },
  {
    text: "我们的后端都用 Go 写，新服务也一样。帮我看看这个报错。",
    facts: ["我们的后端都用 Go 写，新服务也一样。"],
  },
  { text: "以后回答请尽量简短，不要用表格。", facts: ["以后回答请尽量简短，不要用表格。"] },
  {
    text: "うちのプロジェクトではテストは必ずVitestで書きます。このファイルのテストを追加してください。",
    facts: ["うちのプロジェクトではテストは必ずVitestで書きます。"],
  },
];

/** Messages without lasting statements: orders, questions, temporary states, pasted and pretended text. */
export const MESSAGES_WITHOUT_FACTS: readonly string[] = [
  "rename it to parseHeader and move it above the class",
  "the test should fail before the fix and pass after it, show me both runs",
  "why does the build always stop at the same file?",
  "every time I click save the page reloads, look into it",
  "I always get a 403 when I call this endpoint from the browser",
  "hm, that's not what I meant. The button has to be on the left, next to the search field.",
  "can we use a map here instead of the nested loop?",
  "you should never have deleted that file, restore it",
  "let's go with option B and see how it looks",
  "all tests pass now, commit and push",
  'translate into German: "We never share your data with third parties. You can always delete your account."',
  "Imagine I'm the CEO of a bakery chain and I only use Excel. How would you pitch this to me?",
  "if we used Redis we would need a second server, right?",
  "I think we should probably use a queue at some point, not sure though",
  "Here is the mail from the customer:\n\n> We are on version 3 and we always update on Mondays.\n> Our team prefers phone calls.\n\nWrite an answer.",
  "Review this:\n```md\n- Always use tabs\n- Never commit to main\n```\nToo strict?",
  "I'm getting tired, let's stop here for today",
  "I need a coffee first, back in ten minutes",
  "use the second variant, but without the cache",
  "don't touch the styles yet, we do that in the next step",
  "run it again with --verbose and tell me which of the requests is slow",
  "Error: Connection must be closed before calling close()\n    at Pool.close (pool.js:81:11)\nany idea?",
  "our build is broken since this morning",
  "I used to think that generics are slow, is there anything to it?",
  "wir müssen das noch heute fertig bekommen, also nur das Nötigste",
  "Warum verwendet ihr hier immer noch die alte Bibliothek?",
  "¿Siempre tarda tanto en arrancar?",
  "mets le bouton à gauche, il doit être bleu comme les autres",
  "agora roda os testes de novo, só os que falharam",
  "这个函数为什么总是返回空？",
  "この変数名を変えて、もう一度テストを実行してください。",
];
