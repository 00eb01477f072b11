import { z } from "zod";
import { memoryLine } from "../memory-line.ts";
import { quoteLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

export const forgetTool = defineTool({
  name: "forget",
  title: "Forget",
  description: `Archives a memory, so that it is no longer recalled. Call it when the user asks you to forget something, or says that a memory was never true. If something changed, \`remember\` the new state instead. Nothing is erased: the user can restore it with the command line.`,
  input: z.strictObject({ id: z.string().min(1).max(500).describe("Id of the memory, as `recall` returns it: mem_…") }),
  effect: "changes",
  isIdempotent: true,
  async run({ input: { id }, throughline }) {
    return `Archived; it is no longer recalled.\n${quoteLines([memoryLine(await throughline.memory.forget(id))])}`;
  },
});
