import process from "node:process";
import { styleText } from "node:util";
import type { Message } from "throughline";
import { messageText } from "throughline/internal";
import { withKeptSession } from "../data/find-session.ts";
import type { DataOptions } from "../data/open-data.ts";
import { moment } from "../format-values.ts";
import { printJson } from "../print-json.ts";
import { printable, printableLine } from "../printable.ts";

/** Prints what a handle of a session stands for. */
export async function recallHandle(
  session: string,
  handle: string,
  options: DataOptions & { readonly json?: boolean },
): Promise<void> {
  const recalled = await withKeptSession(session, options, ({ throughline, key }) =>
    throughline.session(key.sessionId).recall(handle),
  );
  if (options.json) process.stdout.write(printJson(recalled));
  else for (const message of recalled.messages) process.stdout.write(printMessage(message));
}

function printMessage(message: Message): string {
  const head = [message.role, printableLine(message.id), moment(message.createdAt)].join(" · ");
  return `${styleText("bold", head)}\n${printable(messageText(message))}\n\n`;
}
