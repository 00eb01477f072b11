import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { createThroughline } from "../throughline.ts";

export const clock = { now: () => 1_760_000_000_000 };

/** A coding session of `count` steps, each reading a file. */
export function steps(count: number, size = 400): ModelMessage[] {
  return Array.from({ length: count }, (_, i): ModelMessage[] => [
    {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: `c${i}`, toolName: "Read", input: { file_path: `/src/file-${i}.ts` } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: `c${i}`,
          toolName: "Read",
          output: { type: "text", value: `export const value${i} = ${i};\n`.repeat(size / 10) },
        },
      ],
    },
  ]).flat();
}

export const task = "Rename every `value` in /src to `amount`. Never touch /src/file-7.ts.";

/** A session that has it already. */
export async function session(messages: readonly ModelMessage[] = [{ role: "user", content: task }, ...steps(40)]) {
  const throughline = await createThroughline({ clock });
  const open = throughline.session("s", { modelId: "gpt-4o", contextLimit: 24_000 });
  await open.append(messages);
  return open;
}
