import type { Locator, Page } from "playwright-core";

/** What a person does in the chat, in its words. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(text);
  await field.press("Enter");
}

export function answers(page: Page): Locator {
  return page.getByRole("article", { name: /^AI,/ });
}

export function questions(page: Page): Locator {
  return page.getByRole("article", { name: /^You,/ });
}

/** Waits until the last answer is all there. */
export async function answered(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
}
