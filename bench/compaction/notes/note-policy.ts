import { countTokens } from "throughline";
import { openThroughline } from "../bench-throughline.ts";
import { cutText } from "../cut-text.ts";
import { partText, saidIn } from "./part-text.ts";
import { bagSketch } from "./sketches/bag-sketch.ts";
import { storySketch } from "./sketches/story-sketch.ts";
import { toModelMessages } from "./to-model-messages.ts";
import type { NoteCase, TranscriptMessage } from "./transcript.ts";

/** Writes a note of at most `budget` tokens about the messages of a case. */
export interface NotePolicy {
  readonly name: string;
  /** True for texts that exist in one size only. */
  readonly ownSizeOnly?: boolean;
  write(noteCase: NoteCase, budget: number): Promise<string>;
}

const ownSummary: NotePolicy = {
  name: "agent's own summary",
  ownSizeOnly: true,
  write: async (noteCase) => noteCase.ownSummary ?? "",
};

const verbatimTail = keepEnd("last tokens only", ({ parts }) => parts.map(partText));

const lastReplies = keepEnd("assistant's last messages", (message) =>
  message.role === "assistant" ? [saidIn(message)] : [],
);

const observationMasking = keepEnd("observation masking", ({ parts }) =>
  parts.filter((part) => part.kind !== "result").map(partText),
);

/** Throughline's own note, without a model and without a verbatim tail. */
const throughlineNote: NotePolicy = {
  name: "throughline",
  write: async ({ id, messages }, budget) => {
    const throughline = await openThroughline();
    if (throughline === undefined) throw new Error("This build has no sessions. Build the package and try again.");
    const session = throughline.session(id, { modelId: "anthropic/claude-sonnet-4.5" });
    await session.append(toModelMessages(messages));
    const { summary } = await session.compact({ targetTokens: budget, keepTokens: 0 });
    await throughline.close();
    return summary;
  },
};

/** The baselines, then Throughline. */
export const notePolicies: readonly NotePolicy[] = [
  ownSummary,
  verbatimTail,
  lastReplies,
  observationMasking,
  { name: "bag sketch", write: async ({ messages }, budget) => bagSketch(messages, budget) },
  { name: "story sketch", write: async ({ messages }, budget) => storySketch(messages, budget) },
  throughlineNote,
];

/** No token of agent output is longer, so only the end of a long text is counted. */
const MAX_TOKEN_LENGTH = 16;

/** The end of some of the texts, as much as fits. */
function keepEnd(name: string, textsOf: (message: TranscriptMessage) => readonly string[]): NotePolicy {
  return {
    name,
    write: async ({ messages }, budget) => {
      const texts: string[] = [];
      let tokens = 0;
      for (let index = messages.length - 1; index >= 0 && tokens <= budget; index -= 1) {
        const message = messages[index] as TranscriptMessage;
        const text = textsOf(message)
          .filter((part) => part !== "")
          .join("\n");
        if (text === "") continue;
        texts.unshift(text);
        tokens += countTokens(text.slice(-MAX_TOKEN_LENGTH * budget));
      }
      return cutText(texts.join("\n"), budget, "end");
    },
  };
}
