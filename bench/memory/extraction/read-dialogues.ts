import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** An utterance, and the facts about the speaker that annotators wrote down. */
interface GoldTurn {
  readonly speaker: string;
  readonly text: string;
  /** One sentence each; most utterances have none or one. */
  readonly gold: readonly string[];
}

export interface Dialogue {
  readonly file: string;
  /** The same for all sessions of one pair of people. */
  readonly people: number;
  readonly turns: readonly GoldTurn[];
}

/** Reads the persona summaries of Multi-Session Chat: one JSON object per line. */
export async function readDialogues(folder: string): Promise<Dialogue[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const files = names.map(async (file) => {
    const lines = (await readFile(path.join(folder, file), "utf8")).split("\n");
    return lines.filter((line) => line.trim() !== "").map((line) => readDialogue(file, JSON.parse(line)));
  });
  return (await Promise.all(files)).flat();
}

interface RawDialogue {
  readonly initial_data_id: string;
  readonly dialog: readonly { readonly id: string; readonly text: string; readonly persona_text?: string }[];
}

function readDialogue(file: string, { initial_data_id, dialog }: RawDialogue): Dialogue {
  const turns = dialog.map(({ id, text, persona_text = "" }) => ({
    speaker: id,
    text,
    gold: persona_text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence.trim() !== ""),
  }));
  return { file, people: Number(initial_data_id.replace(/\D/g, "")), turns };
}
