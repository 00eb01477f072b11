import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import type { Message } from "../../message/message.ts";
import { moment } from "../amounts.ts";
import { withKeptSession } from "../data/find-session.ts";
import type { DataOptions } from "../data/open-data.ts";
import { jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printable, printableLine } from "../printable.ts";
import { messageText } from "./message-text.ts";

interface RecallOptions extends DataOptions {
  readonly json?: boolean;
}

export function addRecallCommand(program: Command): void {
  program
    .command("recall")
    .description("print what a handle stands for, as it was said")
    .argument("<session>", "its id, or the beginning of it")
    .argument("<handle>", "part:ID, message:ID, messages:ID..ID, or a compaction")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline recall 0276a600 compaction-1")
    .action((id: string, handle: string, _, command: Command) => recall(id, handle, command.optsWithGlobals()));
}

async function recall(id: string, handle: string, options: RecallOptions): Promise<void> {
  const recalled = await withKeptSession(id, options, ({ throughline, key }) =>
    throughline.session(key.sessionId).recall(handle),
  );
  if (options.json) process.stdout.write(printJson(recalled));
  else for (const message of recalled.messages) process.stdout.write(printMessage(message));
}

function printMessage(message: Message): string {
  const head = [message.role, printableLine(message.id), moment(message.createdAt)].join(" · ");
  return `${styleText("bold", head)}\n${printable(messageText(message))}\n\n`;
}
