import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLong, longTest } from "../../../packages/throughline/test/long-tests.ts";
import { card, forget, knows, openPanel, panelOf, remember } from "./memories.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { boxOf, SHORT, TERRACE, toasts } from "./panel.ts";
import { answers, ask, questions, say } from "./say.ts";
import { serveStudio } from "./studio.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(() => ({ words: [`All right, ${LONG_WORD}\n\n`, "- one\n- two\n"] }));
});
afterAll(() => model.close());

const LONG_WORD = "https://example.org/".padEnd(300, "herbs");

const { open } = serveStudio({ model: () => ({ url: model.baseUrl, model: "tiny" }), reusesTab: true });

describe.each([...(isLong ? [{ width: 1_280, height: 800 }] : []), { width: 360, height: 740 }])(
  "nothing floats over text at $width px:",
  { timeout: 120_000 },
  ({ width, height }) => {
    it("neither the actions of messages nor the last line of the chat; long words are not cut", async () => {
      const page = await open({ withModel: true, width, height });
      await ask(page, "Where do herbs grow?");
      await ask(page, `And trees? ${LONG_WORD}`);
      for (const message of [questions(page).last(), answers(page).last()]) {
        await message.hover();
        const text = message.locator("[data-remember]");
        for (const action of await message.getByRole("button").all()) {
          expect(await overlap(action, text)).toBe(false);
        }
      }
      expect(await overlap(answers(page).last(), page.locator("form").last())).toBe(false);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect(
        await page
          .locator("[data-remember]")
          .evaluateAll((texts) => texts.filter((text) => text.scrollWidth > text.clientWidth).length),
      ).toBe(0);
    });

    it.runIf(width < 600)("actions of user messages take no space until one is tapped", async () => {
      const page = await open({ withModel: true, width, height });
      await ask(page, "Where do herbs grow?");
      await page.mouse.move(2, 2);
      const question = questions(page).last();
      const before = (await boxOf(question)).height;
      await question.getByText("Where do herbs grow?").click();
      await question.getByRole("button", { name: "Edit and resend" }).click({ trial: true });
      expect((await boxOf(question)).height).toBeGreaterThan(before);
      await answers(page).last().getByRole("button", { name: "Regenerate" }).waitFor();
    });

    longTest("nor the toast of a deleted memory", async () => {
      const page = await open({ width, height });
      await openPanel(page);
      await remember(page, TERRACE, SHORT);
      await forget(page, SHORT);
      const toast = toasts(page).getByRole("listitem");
      await toast.waitFor();
      for (const place of [card(page, TERRACE), panelOf(page).getByRole("textbox", { name: "Remember something" })]) {
        expect(await overlap(toast, place)).toBe(false);
      }
      await knows(page, 1);
    });
  },
);

describe("the request details", { timeout: 120_000 }, () => {
  longTest("name no model where none is selected, and the same limit as the ring", async () => {
    const page = await open();
    await say(page, "Hello");
    await questions(page).getByText("Hello").waitFor();
    await page.keyboard.press("Control+Shift+D");
    const details = page.getByRole("dialog", { name: "Request details" });
    await details.getByText("No model selected").waitFor();
    await details.getByText("of 8,192 tokens").waitFor();
    expect(await details.textContent()).not.toContain("gpt-4o");
  });
});

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await boxOf(one), await boxOf(other)];
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
