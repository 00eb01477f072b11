import { DEMO_SCRIPT, DEMO_TITLE } from "../copy/demo.ts";
import type { OpenChat } from "./open-chat.ts";

const PAUSE = 350;

/**
 * Plays the demo into a chat: at reading pace, or at once with reduced motion. Each exchange is learned before the next
 * one, so that replies use the same memories at any speed.
 */
export async function playDemo(chat: OpenChat, learn: () => Promise<void>): Promise<void> {
  const pause = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : PAUSE;
  for (const [said, answered] of DEMO_SCRIPT) {
    await chat.say("user", said);
    // The first message names a chat after itself.
    if (chat.getSnapshot().title !== DEMO_TITLE) await chat.rename(DEMO_TITLE);
    const { receipt } = await chat.measure(said);
    await wait(pause);
    await chat.say("assistant", answered, { receipt: receipt.id });
    await learn();
    await wait(pause);
  }
  await chat.reload();
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
