import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Creates a session of the server with 40 messages. Returns its id. */
export async function ownSession(url: string, page: Page, id: string): Promise<string> {
  const filler = "The sum is rounded twice, and the cart adds the tax again. ".repeat(30);
  const messages = Array.from({ length: 40 }, (_, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: i === 0 ? "Repair the bicycle page. Never push to main without asking me." : `${i}: ${filler}`,
  }));
  await send(url, page, "/sessions", { id, context_limit: 32_000 });
  await send(url, page, `/sessions/${id}/messages`, { messages });
  return id;
}

/** Calls the server as the page does, and returns the messages of a prepared window. */
export async function send(url: string, page: Page, path: string, body: unknown): Promise<unknown> {
  // A connection that the server closes after idle time can be chosen just then. Browsers try again too.
  const response = await page.request.post(`${url}${path}`, { data: body, maxRetries: 2 });
  expect(response.ok()).toBe(true);
  const answer = (await response.json()) as { readonly messages?: unknown };
  return answer.messages;
}
