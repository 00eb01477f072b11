import type { Page } from "playwright-core";
import { recordedHistory, recordedTranscript } from "../../../packages/server/test/recorded-history.fixture.ts";

/** A summary as agents write them: many words and few names. */
const SUMMARY = `This session continues an earlier one that ran out of context. ${[
  "The user asked for correct totals, because the sums of some orders were wrong by a few cents.",
  "All files with totals were read one after another, and their functions were compared with each other.",
  "The analysis showed that src/orderTotals0.ts counts the lines of an order instead of adding their prices.",
  "Several approaches were discussed, and the simplest one was chosen, because it changes the fewest lines.",
  "The remaining work is to change the function, to look at the other files again, and to run all tests.",
  "After that, the result should be explained in a few sentences, together with the reason for the mistake.",
].join(" ")}`;

/** Invented histories for the pictures of the sessions place. */
export function inventedHistory() {
  const history = recordedHistory();
  for (const [i, id] of ["invoice", "basket", "refund", "till"].entries()) {
    const request = `Fix the totals of the ${id}. Never push to main without asking me.`;
    history.write(
      `${id}.jsonl`,
      recordedTranscript({
        id,
        folder: `/home/ada/${id}`,
        files: 3 + 2 * i,
        request,
        summary: SUMMARY,
        tokensAfter: 21_400,
      }),
    );
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
