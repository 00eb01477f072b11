import { describe, expect, it } from "vitest";
import { AxeLooks } from "./look-with-axe.ts";
import { serveStudio } from "./studio.ts";

const { open, url } = serveStudio({ reusesTab: true });

describe("the pages of the Studio", { timeout: 120_000 }, () => {
  it("open by keyboard and by address, and the chat keeps what was typed", async () => {
    const page = await open();
    await page.getByRole("textbox", { name: "Message" }).fill("half a thought");
    await page.getByRole("link", { name: "Memories" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Memories" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/memories");
    await page.goto(`${url()}/#/sessions`);
    await page.getByRole("link", { name: "Sessions", exact: true }).and(page.locator("[aria-current=page]")).waitFor();
    await page.getByRole("link", { name: "Chat" }).click();
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("half a thought");
    await page.goBack();
    await page.getByRole("link", { name: "Sessions", exact: true }).and(page.locator("[aria-current=page]")).waitFor();
  });

  it("show that they need a server, and open when it responds", async () => {
    const page = await open({ width: 360, height: 740 });
    await page.route("**/projects?limit=1", (route) => route.abort());
    await page.goto(`${url()}/#/memories`);
    await page.getByRole("heading", { name: "No server here" }).waitFor();
    await new AxeLooks(page).at("memories without a server");
    await page.unroute("**/projects?limit=1");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Memories" }).waitFor();
  });
});
