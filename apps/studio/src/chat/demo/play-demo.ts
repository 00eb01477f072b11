import type { OpenChatRoom } from "../open-chat-room.ts";
import { DEMO_SCRIPT } from "./demo-script.ts";

const PAUSE = 350;

/** Plays the demo into a room: as fast as one can follow, or at once for those who want no motion. */
export async function playDemo(room: OpenChatRoom): Promise<void> {
  const pause = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : PAUSE;
  for (const [said, answered] of DEMO_SCRIPT) {
    await room.say("user", said);
    await room.measure(said);
    await wait(pause);
    await room.say("assistant", answered);
    await wait(pause);
  }
  await room.rename("Demo: a planner for roof gardens");
  await room.reload();
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
