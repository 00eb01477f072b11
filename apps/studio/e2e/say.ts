import type { Locator, Page } from "playwright-core";

/** Half of a test's timeout: enough for a busy machine, with time left to report the failure. */
const LONG = { timeout: 60_000 };
const MAX_PRESSES = 5;

/** Sends a message as soon as the chat accepts one. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  const send = page.getByRole("button", { name: "Send", exact: true, disabled: false });
  let cause: unknown;
  try {
    await field.fill(text, LONG);
    // Enter sends nothing while an answer is written, and the answer to an earlier message may begin just before the
    // key.
    for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
      await send.waitFor(LONG);
      await field.press("Enter", LONG);
      if ((await field.inputValue(LONG)) === "") return;
    }
  } catch (error) {
    cause = error;
  }
  throw new Error(`Could not send ${JSON.stringify(text)}. ${await describeChat(page)}`, { cause });
}

/** Describes why a message is not sent: an open dialog, a notice, an unfinished answer, or the focus elsewhere. */
async function describeChat(page: Page): Promise<string> {
  return page.evaluate(() => {
    const textOf = (selector: string) =>
      [...document.querySelectorAll(selector)].map((element) => element.textContent.trim()).filter(Boolean);
    const state = {
      field: document.querySelector<HTMLTextAreaElement>("textarea[aria-label=Message]")?.value,
      isAnswering: document.querySelector("button[aria-label='Stop the reply']") !== null,
      focus: document.activeElement?.outerHTML.slice(0, 120),
      dialogs: textOf("[role=dialog]"),
      notices: textOf("[role=alert], [role=status]"),
    };
    return `The page: ${JSON.stringify(state)}`;
  });
}

export function answers(page: Page): Locator {
  return page.getByRole("article", { name: /^AI,/ });
}

export function questions(page: Page): Locator {
  return page.getByRole("article", { name: /^You,/ });
}

/** Sends a message and waits until the answer is complete. */
export async function ask(page: Page, text: string): Promise<void> {
  // Checked without waiting: before the first message there is nothing to wait for.
  const before = await page
    .locator("article")
    .evaluateAll(([first]) => Number(first?.getAttribute("aria-setsize") ?? 0));
  await say(page, text);
  await answered(page, before + 2);
}

/** Waits for at least the given number of messages (notes count too), with a complete answer as the last one. */
export async function answered(page: Page, messages: number): Promise<void> {
  await page.waitForFunction((total) => {
    const last = [...document.querySelectorAll("article")].at(-1);
    const [position, count] = [last?.getAttribute("aria-posinset"), last?.getAttribute("aria-setsize")];
    if (last === undefined || position !== count || Number(count) < total) return false;
    return last.getAttribute("aria-label")?.startsWith("AI,") === true && last.dataset.state !== "streaming";
  }, messages);
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
}
