import { z } from "zod";
import { memoryShape, toMemoryShape } from "../memory-shape.ts";
import { quoteLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

export const forgetTool = defineTool({
  name: "forget",
  title: "Forget",
  description: `Archives a memory, so that it is no longer recalled. Call it when the user asks you to forget something, or says that a memory was never true. \`recall\` returns the id.
If something changed, \`remember\` the new state instead: the old memory ends and stays available for past dates.
Nothing is erased: the user can restore the memory, or erase it permanently, with the command line.`,
  input: z.strictObject({ id: z.string().min(1).max(500).describe("Id of the memory, as `recall` returns it: mem_…") }),
  output: z.object({ memory: memoryShape }),
  effect: "changes",
  isIdempotent: true,
  async run({ input: { id }, throughline }) {
    const memory = toMemoryShape(await throughline.memory.forget(id));
    return {
      data: { memory },
      text: `Archived; it is no longer recalled.\n${quoteLines([`${memory.text} (${memory.id})`])}`,
    };
  },
});
