import { z } from "zod";
import { memoryShape, toMemoryShape } from "../memory-shape.ts";
import { dataLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

export const forgetTool = defineTool({
  name: "forget",
  title: "Forget",
  description: `Puts a memory away: it is not recalled any more. Use it when the user asks you to forget something, or says that something remembered was never true. \`recall\` tells the id.
Where something has changed, \`remember\` what holds now in its place: the old one ends by itself and can still be asked for as of then.
It is not erased: the user can bring it back, or erase it for good, with the command line.`,
  input: z.strictObject({ id: z.string().min(1).max(500).describe("The memory's id, as `recall` gives it: mem_…") }),
  output: z.object({ memory: memoryShape }),
  effect: "changes",
  isIdempotent: true,
  async run({ input: { id }, throughline }) {
    const memory = toMemoryShape(await throughline.memory.forget(id));
    return {
      data: { memory },
      text: `Put away; it is not recalled any more.\n${dataLines([`${memory.text} (${memory.id})`])}`,
    };
  },
});
