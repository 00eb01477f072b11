import type { Page } from "playwright-core";
import { recordedHistory } from "../../../packages/server/test/recorded-history.fixture.ts";
import { storeMemories } from "../e2e/memory-place.ts";
import { STORIES, transcriptOf } from "./invented-sessions.ts";

/** Invented histories for the pictures of the sessions place. */
export function inventedHistory() {
  const history = recordedHistory();
  for (const story of STORIES) {
    const { text, endedAt } = transcriptOf(story);
    history.write(`${story.id}.jsonl`, text, endedAt);
  }
  return history;
}

type Take = (page: Page, name: string) => Promise<void>;

/** The pictures of the sessions place: the worst compaction, requests, a window, and a session that is edited. */
export async function sessionPictures(url: string, page: Page, take: Take): Promise<void> {
  await showWorst(url, page);
  await take(page, "sessions");
  await page.getByRole("tab", { name: "Requests" }).click();
  await take(page, "sessions-requests");
  await page.getByRole("button", { name: /^Call 3 / }).click();
  await page.getByText(/in messages \+/).waitFor();
  await take(page, "sessions-window");
  await editedSession(url, page, take);
}

/** Opens the worst compaction, after all histories have been read. */
export async function showWorst(url: string, page: Page): Promise<void> {
  for (let waiting = 1; waiting > 0; ) {
    const answer = await fetch(`${url}/inspect/worst`);
    waiting = ((await answer.json()) as { readonly waiting: number }).waiting;
  }
  await page.goto(`${url}/#/sessions`);
  await page.getByText(/the agent compacted/).waitFor();
}

async function editedSession(url: string, page: Page, take: Take): Promise<void> {
  const texts = [
    "Repair the checkout. Never push to main without asking me.",
    "The cart adds the tax twice: once in src/cart.ts, once in src/order.ts.",
    "Which tests cover it?",
    "test/cart.test.ts covers the sum, and nothing covers the tax.",
    "Write one for the tax, please.",
    "test/tax.test.ts is written and fails as expected.",
  ];
  const messages = texts.map((text, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: `${text} ${"The order has three lines, and each is rounded to cents. ".repeat(i === 0 ? 0 : 12)}`,
  }));
  await page.request.post(`${url}/sessions`, { data: { id: "checkout" } });
  await page.request.post(`${url}/sessions/checkout/messages`, { data: { messages } });
  await page.goto(`${url}/#/sessions/throughline%3Acheckout`);
  const window = page.getByRole("region", { name: "Window now" });
  await window.getByRole("checkbox").nth(3).check();
  await window.getByRole("button", { name: "Take out" }).click();
  await window.getByRole("button", { name: /^Take out 1/ }).waitFor();
  await take(page, "sessions-edit");
}

/** The pictures of the memories place. */
export async function memoryPictures(
  url: string,
  page: Page,
  take: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  await storeMemories(url);
  // Split, so that no scanner takes this for a real key.
  const key = ["ghp", "k7Jd93mQpZx81LsVb20RtYwNc64HgFaEu5Xo"].join("_");
  await fetch(`${url}/memories`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-throughline-project": "/home/ada/garden" },
    body: JSON.stringify({ text: `The token of the watering bot is ${key}`, keep_secrets: true }),
  });
  const go = async (path: string) => {
    await page.goto(`${url}/#/memories${path}`);
    await page.getByRole("navigation", { name: "Memory views" }).waitFor();
  };
  await go("");
  await page.getByRole("option").filter({ hasText: "deploy on Fridays" }).click();
  await page.locator("mark").waitFor();
  await take(page, "memories");
  await go("/review");
  await page.getByRole("button", { name: "Accept" }).waitFor();
  await take(page, "memories-review");
  await go("/conflicts");
  await page.getByRole("button", { name: "Keep first" }).waitFor();
  await take(page, "memories-conflicts");
  await go("/consolidate");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText(/planned/).waitFor();
  await take(page, "memories-consolidate");
  await go("/audit");
  await page.getByText(/checked/).waitFor();
  await take(page, "memories-audit");
  await go("/context");
  await page.getByLabel("Message or task").fill("When do we deploy?");
  await page.getByRole("button", { name: "Show context" }).click();
  await page
    .getByRole("link", { name: /Fridays/ })
    .first()
    .waitFor();
  await take(page, "memories-context");
}
