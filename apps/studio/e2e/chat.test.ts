import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLong, longTest } from "../../../packages/throughline/test/long-tests.ts";
import { type ModelServer, type Reply, startModelServer } from "./model-server.ts";
import { hasFocus, tabTo } from "./panel.ts";
import { answered, answers, ask, questions, say } from "./say.ts";
import { placesOf } from "./stored.ts";
import { serveStudio } from "./studio.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(reply);
});
afterAll(() => model.close());

const { open, share } = serveStudio({ model: () => ({ url: model.baseUrl, model: "tiny" }), reusesTab: true });

const shared = share(async () => undefined, { withModel: true });

/** A new chat in a tab in which others were held. */
async function newChat(): Promise<Page> {
  const page = await shared();
  if ((await page.locator("article").count()) > 0) {
    await page.getByRole("button", { name: "New chat" }).first().click();
    await page.locator("article").first().waitFor({ state: "detached" });
  }
  return page;
}

/** Answers of the model by question. */
function reply(question: string): Reply {
  if (/extract/i.test(question)) return { words: ["[]"] };
  if (question.includes("count slowly")) return { words: words(400), pause: 20 };
  if (question.includes("code"))
    return { words: ["```ts\nconst answer = 42;\n", "```\n\nand <b>bold</b> [x](javascript:alert(1))"] };
  if (question.includes("break off")) return { words: ["It begins ", "so."], pause: 300, cut: true };
  if (question.includes("refuse")) return { words: [], status: 429 };
  return { words: ["You ", "said: ", question.slice(-40)] };
}

function words(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${at} `);
}

describe("the chat", { timeout: 120_000 }, () => {
  longTest("has what was typed into a new chat, and not sent, after a reload", async () => {
    const page = await open({ withModel: true });
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("A long thought");
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe("A long thought");
    await field.press("Enter");
    await answers(page).getByText("You said: A long thought").waitFor();
    await page.reload();
    await questions(page).getByText("A long thought").waitFor();
    expect(await field.inputValue()).toBe("");
  });

  it("loses no message sent during a reload", async () => {
    const page = await open({ withModel: true });
    const field = page.getByRole("textbox", { name: "Message" });
    for (const words of ["First words", ...(isLong ? ["Second words", "Third words"] : [])]) {
      await field.fill(words);
      // In one go: the store has had no time yet.
      const sentAndLeft = page.evaluate(() => {
        document.querySelector("textarea")?.form?.requestSubmit();
        location.reload();
      });
      await Promise.all([page.waitForEvent("load"), sentAndLeft.catch(() => undefined)]);
      const isThere = async () =>
        (await questions(page).getByText(words).count()) > 0 || (await field.inputValue()) === words;
      await expect.poll(isThere).toBe(true);
      await field.fill("");
    }
  });

  it("streams an answer, and has it again after a reload", async () => {
    const page = await newChat();
    await ask(page, "Hello there");
    await answers(page).getByText("You said: Hello there").waitFor();
    await page.reload();
    await answers(page).getByText("You said: Hello there").waitFor();
    expect(await page.getByRole("navigation").getByRole("button", { name: "Hello there", exact: true }).count()).toBe(
      1,
    );
  });

  it("stops an answer, keeps its text, and regenerates it as a new version", async () => {
    const page = await newChat();
    await say(page, "count slowly");
    await answers(page)
      .getByText(/0 1 2 3/)
      .waitFor();
    await page.getByRole("button", { name: "Stop the reply" }).click();
    await answered(page, 2);
    expect(await answers(page).getAttribute("data-state")).toBe("stopped");
    await answers(page).hover();
    await page.getByRole("button", { name: "Regenerate" }).first().click();
    await page.getByRole("group", { name: "Versions" }).waitFor();
    await page.getByRole("button", { name: "Stop the reply" }).click();
    await answered(page, 2);
    expect(await page.getByRole("group", { name: "Versions" }).textContent()).toContain("2");
  });

  longTest("goes on with an answer in the background, and keeps it as far as it came over a reload", async () => {
    const page = await newChat();
    await say(page, "count slowly");
    await answers(page)
      .getByText(/0 1 2 3/)
      .waitFor();
    await page.getByRole("button", { name: "New chat" }).first().click();
    await answers(page).waitFor({ state: "detached" });
    await page.getByRole("navigation").getByRole("button", { name: "count slowly", exact: true }).first().click();
    await page.getByRole("button", { name: "Stop the reply" }).waitFor();
    await answers(page)
      .getByText(/9 10 11 12/)
      .waitFor();
    await page.reload();
    await page.getByText("Interrupted").waitFor();
    expect(await answers(page).textContent()).toContain("9 10 11");
    await page.getByRole("button", { name: "Continue" }).click();
    await answers(page).getByText("You said:").waitFor();
    await answered(page, 2);
    expect(await answers(page).textContent()).toContain("9 10 11");
    expect(await answers(page).count()).toBe(1);
  });

  longTest("has an interrupted answer as far as it came after its tab was killed", async () => {
    const page = await open({ withModel: true, isNew: true });
    await say(page, "count slowly");
    await answers(page)
      .getByText(/0 1 2 3/)
      .waitFor();
    const killed = page.waitForEvent("crash");
    const session = await page.context().newCDPSession(page);
    void session.send("Page.crash").catch(() => undefined);
    await killed;
    const next = await open({ beside: page });
    await next.getByRole("navigation").getByRole("button", { name: "count slowly", exact: true }).click();
    await next.getByText("Interrupted").waitFor();
    expect(await answers(next).textContent()).toContain("0 1 2 3");
  });

  it("edits an earlier message by keyboard, and keeps the old version", async () => {
    const page = await newChat();
    await say(page, "First question");
    await answered(page, 2);
    await page.keyboard.press("/");
    await tabTo(page, page.getByRole("button", { name: "Edit and resend" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("textbox", { name: "Edit your message" }));
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText("Better question");
    await page.keyboard.press("Enter");
    await answers(page).getByText("You said: Better question").waitFor();
    expect(await questions(page).count()).toBe(1);
    await answered(page, 2);
    await tabTo(page, page.getByRole("button", { name: "Earlier version" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await answers(page).getByText("You said: First question").waitFor();
  });

  it("shows code with a copy button, and neither HTML nor a dangerous link", async () => {
    const page = await newChat();
    await ask(page, "some code please");
    await page.getByRole("figure", { name: "Code, ts" }).waitFor();
    await page.getByRole("figure", { name: "Code, ts" }).getByRole("button", { name: /copy/i }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("const answer = 42;");
    expect(await answers(page).locator("b").count()).toBe(0);
    expect(await answers(page).locator('a[href^="javascript"]').count()).toBe(0);
  });

  it("keeps the text and shows the reason when an answer is interrupted or refused", async () => {
    const page = await newChat();
    await say(page, "break off now");
    await answered(page, 2);
    await answers(page).getByText("It begins").waitFor();
    expect(await answers(page).last().getAttribute("data-state")).toBe("failed");
    await ask(page, "refuse me");
    await questions(page).getByText("refuse me").waitFor();
    expect(await answers(page).last().getAttribute("data-state")).toBe("failed");
  });

  longTest("saves the message without a model, and says that none is selected", async () => {
    const page = await open();
    await page.getByText("No model selected").waitFor();
    await say(page, "Is anybody there?");
    await questions(page).getByText("Is anybody there?").waitFor();
    await page.reload();
    await questions(page).getByText("Is anybody there?").waitFor();
    expect(await answers(page).count()).toBe(0);
  });

  longTest("renames and erases a conversation, with what was typed into it", async () => {
    const page = await open();
    await say(page, "Plans for spring");
    await page.getByRole("textbox", { name: "Message" }).fill("and for Xanadu");
    const list = page.getByRole("navigation");
    await list.getByRole("button", { name: "Plans for spring", exact: true }).press("F2");
    await page.getByRole("textbox", { name: "Title" }).fill("Spring");
    await page.getByRole("textbox", { name: "Title" }).press("Enter");
    await list.getByRole("button", { name: "Spring", exact: true }).press("Delete");
    await page.getByRole("group", { name: "Delete Spring?" }).getByRole("button", { name: "Delete" }).click();
    await list.getByText("Your chats will appear here.").waitFor();
    await list.getByRole("button", { name: "Undo deleting Spring" }).click();
    await list.getByRole("button", { name: "Spring", exact: true }).press("Delete");
    await page.getByRole("group", { name: "Delete Spring?" }).getByRole("button", { name: "Delete" }).click();
    await list.getByRole("button", { name: "Undo deleting Spring" }).waitFor({ state: "detached" });
    expect(await placesOf(page, "Xanadu")).toEqual([]);
    await page.reload();
    await list.getByText("Your chats will appear here.").waitFor();
  });

  it("leaves no trace of a temporary chat", async () => {
    const page = await open({ withModel: true });
    await page.getByRole("button", { name: "Temporary" }).click();
    await say(page, "My secret plan is Xanadu.");
    await answered(page, 2);
    // No memories are used, and none can be made, also not of marked words.
    await page.getByRole("button", { name: /^Memory off/ }).waitFor();
    await answers(page).getByText("You said:").selectText();
    await page.keyboard.press("Shift");
    expect(await page.getByRole("button", { name: /Remember/ }).count()).toBe(0);
    expect(await placesOf(page, "Xanadu")).toEqual([]);
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText("Your chats will appear here.").waitFor();
    expect(await placesOf(page, "Xanadu")).toEqual([]);
  });

  it("asks before a temporary chat with messages is left", async () => {
    const page = await open({ withModel: true });
    const question = page.getByRole("alertdialog", { name: "Leave temporary chat?" });
    await page.getByRole("button", { name: "Temporary" }).click();
    await ask(page, "My secret plan is Xanadu.");
    await page.getByRole("button", { name: "New chat" }).click();
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "hidden" });
    expect(await questions(page).count()).toBe(1);
    await page.getByRole("button", { name: "New chat" }).click();
    await question.getByRole("button", { name: "Leave" }).click();
    await questions(page).waitFor({ state: "detached" });
  });
});
