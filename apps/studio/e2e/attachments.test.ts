import { afterAll, beforeAll, describe, expect } from "vitest";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { drawBeds } from "../screenshots/draw-beds.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { answers, ask, questions, say } from "./say.ts";
import { serveStudio } from "./studio.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer((question) =>
    question === "slow" ? { words: Array<string>(400).fill("more "), pause: 50 } : { words: ["Three beds."] },
  );
});
afterAll(() => model.close());

const seeing = serveStudio({ model: () => ({ url: model.baseUrl, model: "llava" }) });
const blind = serveStudio({ model: () => ({ url: model.baseUrl, model: "tiny" }) });

const ROOF = { name: "roof.png", mimeType: "image/png", buffer: drawBeds() };
const PLANTS = { name: "plants.csv", mimeType: "text/csv", buffer: Buffer.from("name,depth\nthyme,15\n") };

/** The content of the last message that the model got. */
function lastContent(): unknown {
  return model.asked.findLast(({ stream }) => stream)?.messages.findLast(({ role }) => role === "user")?.content;
}

describe("an image", { timeout: 120_000 }, () => {
  longTest("is shown before and after it is sent, and reaches a model that takes images", async () => {
    const page = await seeing.open({ withModel: true });
    await page.locator("input[type=file]").first().setInputFiles(ROOF);
    const attached = page.getByRole("list", { name: "Attached files" });
    await attached.locator("img").waitFor();
    await ask(page, "What grows here?");
    const image = questions(page).getByRole("img", { name: "roof.png" });
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(320);
    expect(await attached.count()).toBe(0);
    expect(lastContent()).toEqual([
      { type: "text", text: "What grows here?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${ROOF.buffer.toString("base64")}` } },
    ]);
    await page.reload();
    await image.waitFor();
  });

  longTest("can be pasted and sent without a word", async () => {
    const page = await seeing.open({ withModel: true });
    const field = page.getByRole("textbox", { name: "Message" });
    await field.evaluate(
      (element, bytes) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([Uint8Array.from(bytes)], "roof.png", { type: "image/png" }));
        element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      },
      [...ROOF.buffer],
    );
    await page.getByRole("button", { name: "Remove roof.png" }).waitFor();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await answers(page).getByText("Three beds.").waitFor();
    expect(JSON.stringify(lastContent())).toContain("image_url");
  });

  longTest("is left out if text is pasted that comes with a picture of itself", async () => {
    const page = await seeing.open({ withModel: true });
    const isText = await page.getByRole("textbox", { name: "Message" }).evaluate(
      (element, bytes) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", "Thyme");
        clipboardData.items.add(new File([Uint8Array.from(bytes)], "image.png", { type: "image/png" }));
        return element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      },
      [...ROOF.buffer],
    );
    expect(isText).toBe(true);
    expect(await page.getByRole("list", { name: "Attached files" }).count()).toBe(0);
  });

  longTest("can be dropped anywhere on the page, which stays open", async () => {
    const page = await seeing.open({ withModel: true });
    const isTaken = await page.locator("header").evaluate(
      (element, bytes) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(bytes)], "roof.png", { type: "image/png" }));
        const drag = (type: string) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        // An event whose default is not prevented opens the file in place of the page.
        return [drag("dragover"), drag("drop")].map((event) => !element.dispatchEvent(event));
      },
      [...ROOF.buffer],
    );
    expect(isTaken).toEqual([true, true]);
    await page.getByRole("button", { name: "Remove roof.png" }).waitFor();
  });

  longTest("is refused for a model that takes none, and the message stays", async () => {
    const page = await blind.open({ withModel: true });
    await page.getByRole("textbox", { name: "Message" }).fill("What grows here?");
    await page.locator("input[type=file]").first().setInputFiles([ROOF, PLANTS]);
    await page.getByText("tiny doesn't take images. Choose a model that does, or attach text.").waitFor();
    expect(await page.getByRole("list", { name: "Attached files" }).getByRole("listitem").allTextContents()).toEqual([
      "plants.csv",
    ]);
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("What grows here?");
  });
});

describe("a file", { timeout: 120_000 }, () => {
  longTest(
    "comes back to the field with a message that is taken out of the queue, and stays with an edit",
    async () => {
      const page = await blind.open({ withModel: true });
      await say(page, "slow");
      await answers(page).getByText("more more").waitFor();
      await page.locator("input[type=file]").first().setInputFiles(PLANTS);
      // The file is read before it can be sent.
      await page.getByRole("button", { name: "Remove plants.csv" }).waitFor();
      const field = page.getByRole("textbox", { name: "Message" });
      await field.fill("Which fit?");
      await field.press("Enter");
      await page.getByText("Which fit? · plants.csv").waitFor();
      await page.getByRole("button", { name: "Edit queued message" }).click();
      await page.getByRole("button", { name: "Remove plants.csv" }).waitFor();
      await page.getByRole("button", { name: "Stop the reply" }).click();
      // The note at a reply that was just stopped counts as a message for a moment, so messages are not counted here.
      await say(page, "Which fit?");
      await answers(page).getByText("Three beds.").waitFor();
      await questions(page).last().hover();
      await questions(page).last().getByRole("button", { name: "Edit and resend" }).click();
      const edit = page.getByRole("textbox", { name: "Edit your message" });
      await questions(page).getByText("plants.csv").waitFor();
      await edit.fill("Which fit best?");
      await edit.press("Enter");
      await questions(page).getByText("Which fit best?").waitFor();
      await expect.poll(lastContent).toBe(`Which fit best?\n\n[Attached file "plants.csv"]\nname,depth\nthyme,15\n`);
    },
  );
});
