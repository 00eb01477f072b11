import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createServer } from "@throughline/server";
import { chromium, type Page } from "playwright-core";
import { FLAGS } from "../../../packages/throughline/test/browser/browser-flags.ts";
import { ensureProgram, programs } from "../../../tools/ensure/ensure-program.mjs";
import { cliFolder } from "../../../tools/run/paths.mjs";
import { startModelServer } from "../e2e/model-server.ts";
import { chatStates, type OpenTabOptions } from "./chat-states.ts";
import { inventedHistory, memoryPictures, sessionPictures, showWorst } from "./inspector-pictures.ts";
import { reply } from "./scripted-replies.ts";

// npm run screenshots: the pictures of the docs, taken from the Studio as it is built. With `--all FOLDER` every state
// of the chat goes there instead, in light and dark, wide and narrow. `--look wide` takes one look only, `--part chat`
// or
// `--part inspector` (Sessions and Memories) one part.

const {
  all,
  part,
  look: looks = [],
} = parseArgs({
  options: { all: { type: "string" }, part: { type: "string" }, look: { type: "string", multiple: true } },
}).values;
const folder = all ?? fileURLToPath(new URL("../../../docs/images", import.meta.url));
mkdirSync(folder, { recursive: true });

const WIDE = { width: 1_280, height: 800 };
const NARROW = { width: 360, height: 740 };
const LOOKS = [
  { name: "wide", colorScheme: "light", viewport: WIDE },
  { name: "narrow", colorScheme: "light", viewport: NARROW },
  { name: "wide-dark", colorScheme: "dark", viewport: WIDE },
  { name: "narrow-dark", colorScheme: "dark", viewport: NARROW },
] as const;

/** States in the docs, with their file names. */
const DOCS: Readonly<Record<string, string>> = {
  "first-wide": "chat-empty",
  "conversation-wide": "chat",
  "demo-wide-dark": "chat-dark",
  "conversation-narrow": "chat-narrow",
  "rtl-narrow-dark": "chat-narrow-dark",
  "temporary-wide": "chat-temporary",
  "streaming-wide": "chat-streaming",
  "used-memories-wide": "chat-why",
  "context-wide": "chat-context",
  "summary-open-wide": "chat-summary",
  "request-wide": "chat-request",
  "model-picker-wide": "model-picker",
  "model-endpoint-wide": "model-endpoint",
  "panel-wide": "panel",
  "panel-wide-dark": "panel-dark",
  "panel-narrow": "panel-narrow",
  "panel-narrow-dark": "panel-narrow-dark",
  "panel-edit-wide": "panel-edit",
  "panel-expanded-wide": "panel-expanded",
  "panel-manage-wide": "panel-manage",
  "panel-undo-wide": "panel-undo",
  "panel-clear-wide": "panel-clear",
  "panel-cleared-wide": "panel-cleared",
  "panel-empty-wide": "panel-empty",
  "settings-wide": "settings",
};

/** Looks of the first screen of Sessions in the docs, with their file names. */
const SESSION_LOOKS = { "wide-dark": "sessions-dark", narrow: "sessions-narrow" } as const;

const model = await startModelServer(reply);
const history = inventedHistory();
const studio = join(cliFolder, "dist", "studio");
const server = await createServer({
  port: 0,
  histories: history.source,
  studio,
  upstreams: { openai: { url: model.baseUrl, model: "tiny" } },
});
const seeingServer = await createServer({
  port: 0,
  studio,
  upstreams: { openai: { url: model.baseUrl, model: "llava" } },
});
const browser = await chromium.launch({ executablePath: await ensureProgram(programs.chromium), args: FLAGS });
try {
  for (const look of LOOKS.filter(({ name }) => looks.length === 0 || looks.includes(name))) await takeLook(look);
} finally {
  await browser.close();
  await server.close();
  await seeingServer.close();
  await model.close();
  history.remove();
}

async function takeLook({ name, ...options }: (typeof LOOKS)[number]): Promise<void> {
  const open = async ({ withModel, seesImages = false }: OpenTabOptions): Promise<Page> => {
    const context = await browser.newContext({ ...options, reducedMotion: "reduce", serviceWorkers: "block" });
    context.setDefaultTimeout(120_000);
    if (withModel) await context.addInitScript(() => localStorage.setItem("throughline.models.choice", "server"));
    const page = await context.newPage();
    await page.goto((seesImages ? seeingServer : server).url);
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    return page;
  };
  if (part !== "inspector") await chatStates({ open, take: (page, state) => takeState(page, `${state}-${name}`) });
  if (all !== undefined || part === "chat") return;
  const page = await open({ withModel: false });
  if (name === "wide") {
    await memoryPictures(server.url, page, take);
    await sessionPictures(server.url, page, take);
  } else if (name in SESSION_LOOKS) {
    await showWorst(server.url, page);
    await take(page, SESSION_LOOKS[name as keyof typeof SESSION_LOOKS]);
  }
}

async function takeState(page: Page, state: string): Promise<void> {
  const name = all === undefined ? DOCS[state] : state;
  if (name !== undefined) await take(page, name);
}

async function take(page: Page, name: string): Promise<void> {
  // The pointer hovers over nothing, and transitions have ended.
  await page.mouse.move(2, 2);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
