import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../tokens/count-tokens.ts";
import type { Ledger } from "../ledger.ts";
import { wordsTokens } from "../render/note-draft.ts";
import { renderLedger } from "../render/render-ledger.ts";
import { anySpeech, assistant, hostileSpeech, ledgerOf, tool, user } from "../session.arbitrary.ts";

const render = (ledger: Ledger, budget: number, words?: number) =>
  renderLedger(ledger, { budget, count: countTokens, ...(words === undefined ? {} : { words }) });
const paste = (label: string) => `${label} ${"lorem ipsum dolor ".repeat(200)}the end`;

describe("the user's words in a rendered ledger", () => {
  it("are all verbatim if the budget allows, before other content", () => {
    const work = [
      ...tool("Edit", { file_path: "/app/src/a.ts", new_string: "someName otherName" }),
      assistant("Done."),
    ];
    fc.assert(
      fc.property(fc.array(anySpeech, { maxLength: 12 }), fc.nat({ max: 400 }), (speeches, more) => {
        const ledger = ledgerOf(...speeches.flatMap((text, i) => [user(text, { partId: `p${i}` }), ...work]));
        const words = wordsTokens(ledger, countTokens);
        const text = render(ledger, words + more, words);
        expect(countTokens(text)).toBeLessThanOrEqual(words + more);
        for (const speech of speeches) expect(text).toContain(speech);
        for (const constraint of ledger.constraints) expect(text).toContain(`- ${constraint.text}\n`.trimEnd());
        expect(text).not.toContain("more in the history");
      }),
    );
  });

  it("cannot imitate other content of the ledger", () => {
    fc.assert(
      fc.property(fc.array(hostileSpeech, { maxLength: 5 }), (speeches) => {
        const ledger = ledgerOf(...speeches.map((text) => user(text)));
        const words = wordsTokens(ledger, countTokens);
        const text = render(ledger, words, words);
        for (const { text: own } of [...ledger.requests, ...ledger.constraints]) expect(text).toContain(own);
        const lines = text.split(/[\n\r\u2028\u2029]/);
        const headings = lines.filter((line) => /^\s{0,8}#{1,6}(\s|$)/.test(line));
        expect(["### Requests and what happened", "### Rules"]).toEqual(expect.arrayContaining(headings));
        const requests = lines.slice(0, lines.includes("### Rules") ? lines.indexOf("### Rules") : undefined);
        expect(requests.filter((line) => /^- (Task|Open)/.test(line))).toHaveLength(ledger.requests.length);
      }),
    );
  });

  it("leave out greetings and thanks in a chat, visibly", () => {
    const text = "Thanks, Ana! I moved to Lisbon in May. You're amazing! My sister Eva lives there too.";
    const ledger = ledgerOf(user(text), assistant("Lisbon has trams."));
    const chat = renderLedger(ledger, { budget: 500, count: countTokens, style: "chat" });
    expect(chat).toContain("- User: … I moved to Lisbon in May. … My sister Eva lives there too.\n");
    expect(render(ledger, 500)).toContain(text);
  });

  it("leave unused budget to other content", () => {
    const ledger = ledgerOf(user("Fix it"), tool("Edit", { file_path: "/app/src/a.ts" }));
    expect(render(ledger, 500, 400)).toBe(render(ledger, 500));
  });

  it("fill the budget; cut ones have a handle, omitted ones are counted", () => {
    const asked = Array.from({ length: 60 }, (_, i) => [
      user(paste(`Ask ${i}.`), { partId: `p${i}` }),
      assistant("Done."),
    ]);
    const ledger = ledgerOf(...asked.flat());
    for (const [budget, words] of [[300], [1_000], [4_000], [4_000, 3_000], [9_000, 8_000]] as const) {
      const text = render(ledger, budget, words);
      expect(countTokens(text)).toBeLessThanOrEqual(budget);
      const entries = text.split(/^- (?=Task|Open|Asked)/m).slice(1);
      const whole = entries.filter((entry) => /Ask (\d+)\.[^[]*the end$/m.test(entry));
      const cut = entries.filter((entry) => {
        const [, asked, part] = /Ask (\d+)\.[^[]* \[… recall part:p(\d+) …\] [^[]*the end$/m.exec(entry) ?? [];
        return asked !== undefined && asked === part;
      });
      const short = entries.filter((entry) => /Ask \d+\.[^[]{0,260} …$/m.test(entry));
      expect(whole.length + cut.length + short.length).toBe(entries.length);
      expect(entries.length).toBeGreaterThan(0);
      expect(text).toContain(`\n- ${60 - entries.length} more in the history`);
    }
  });

  it("are cut shorter if they are answered", () => {
    const one = (reply: boolean) =>
      ledgerOf(user("Start here"), user(paste("Then")), ...(reply ? [assistant("Done.")] : []));
    const lengthOf = (text: string) => /^- (?:Open|Asked): Then.*$/m.exec(text)?.[0].length ?? 0;
    expect(lengthOf(render(one(true), 300))).toBeLessThan(lengthOf(render(one(false), 300)));
  });

  it("count those that the ledger dropped", () => {
    const ledger = ledgerOf(...Array.from({ length: 450 }, (_, i) => user(`Ask for ${i}.`)));
    const words = wordsTokens(ledger, countTokens);
    const text = render(ledger, words, words);
    expect(text).toContain("- Open: Ask for 449.\n");
    expect(text.match(/^- (Task|Open)/gm)).toHaveLength(400);
    expect(text).toMatch(/\n- 50 more in the history$/);
  });

  it("close cut code blocks, and start them on their own line", () => {
    const fence = "```";
    const ledger = ledgerOf(
      user(`${fence}ts\nrun();\n${fence}`),
      user(`See ${fence}a${fence}:\n${fence}\ncode`),
      user("Last"),
    );
    const text = render(ledger, 1_000);
    expect(text).toContain(`- Task, open:\n${fence}ts\nrun();\n${fence}\n- `);
    expect(text).toContain(`:\n${fence}\ncode\n${fence}\n- Task`.replace("\n- Task", ""));
    const cut = render(
      ledgerOf(user(`${fence}\n${"line of code\n".repeat(600)}${fence}\nand ${"so on ".repeat(300)}`)),
      400,
    );
    expect(cut).toContain("recall part:m0.0");
    expect((cut.match(/^```/gm)?.length ?? 0) % 2).toBe(0);
  });

  it("are rendered with a bounded number of token counts", () => {
    const ledger = ledgerOf(...Array.from({ length: 400 }, (_, i) => user(paste(`Ask ${i}.`))));
    let characters = 0;
    const count = (text: string) => {
      characters += text.length;
      return countTokens(text);
    };
    expect(wordsTokens(ledger, count, 2_000)).toBe(2_000);
    expect(characters).toBeLessThan(30_000);
  });
});
