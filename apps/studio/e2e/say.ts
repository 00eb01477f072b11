import type { Locator, Page } from "playwright-core";

/** What a person does in the chat, in its words. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(text);
  // While an answer is being finished Enter leaves the words where they are: one presses it again.
  do await field.press("Enter");
  while ((await field.inputValue()) !== "");
}

export function answers(page: Page): Locator {
  return page.getByRole("article", { name: /^AI,/ });
}

export function questions(page: Page): Locator {
  return page.getByRole("article", { name: /^You,/ });
}

/** Says something and waits until the answer to it is all there. */
export async function ask(page: Page, text: string): Promise<void> {
  // Looked up at once: where nothing was said yet there is nothing to wait for.
  const before = await page
    .locator("article")
    .evaluateAll(([first]) => Number(first?.getAttribute("aria-setsize") ?? 0));
  await say(page, text);
  await answered(page, before + 2);
}

/** Waits until there are so many messages or more (notes count too), and the last is an answer that is all there. */
export async function answered(page: Page, messages: number): Promise<void> {
  await page.waitForFunction((total) => {
    const last = [...document.querySelectorAll("article")].at(-1);
    const [position, count] = [last?.getAttribute("aria-posinset"), last?.getAttribute("aria-setsize")];
    if (last === undefined || position !== count || Number(count) < total) return false;
    return last.getAttribute("aria-label")?.startsWith("AI,") === true && last.dataset.state !== "streaming";
  }, messages);
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
}
