import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { findOutdated } from "../../../packages/throughline/src/memory/staleness/find-outdated.ts";
import { outdatedSpans } from "../../../packages/throughline/src/memory/staleness/mark-stale.ts";
import type { Utterance } from "../../../packages/throughline/src/ports/memory.ts";
import { printTable } from "../../print-table.ts";

/** A conversation with the turns that answer questions about it. */
interface Conversation {
  readonly set: string;
  readonly turns: readonly Utterance[];
  readonly evidence: ReadonlySet<string>;
}

/**
 * Measures how much evidence would be marked as outdated in conversations without supersession. All earlier turns are
 * compared, which is more than a store would return.
 */
export async function printFalseStale(folder: string): Promise<void> {
  const conversations = [...(await readLocomo(folder)), ...(await readBeam(folder))];
  const rows = [...Map.groupBy(conversations, ({ set }) => set)].map(([set, group]) => {
    const counts = group.map(countMarked);
    const sum = (of: (count: Marked) => number) => counts.reduce((total, count) => total + of(count), 0);
    const evidence = group.reduce((total, each) => total + each.evidence.size, 0);
    const share = (marked: number) => `${((100 * marked) / evidence).toFixed(2)}%`;
    return [
      set,
      group.reduce((total, { turns }) => total + turns.length, 0),
      sum(({ turns }) => turns),
      evidence,
      share(sum(({ whole }) => whole)),
      share(sum(({ parts }) => parts)),
    ];
  });
  console.log("\nMarked as outdated although questions are answered from it (target on LoCoMo: less than 1%)");
  printTable(["set", "turns", "marked", "evidence turns", "marked whole", "in part"], rows);
}

interface Marked {
  readonly turns: number;
  readonly whole: number;
  readonly parts: number;
}

function countMarked({ turns, evidence }: Conversation): Marked {
  const whole = new Set<string>();
  const parts = new Set<string>();
  for (const [at, turn] of turns.entries()) {
    if (outdatedSpans(turn.text).length > 0) parts.add(turn.id);
    for (const { turnId, spans } of findOutdated(turn, turns.slice(0, at))) {
      (spans === undefined ? whole : parts).add(turnId);
    }
  }
  const countIn = (ids: ReadonlySet<string>) => [...ids].filter((id) => evidence.has(id)).length;
  return {
    turns: new Set([...whole, ...parts]).size,
    whole: countIn(whole),
    parts: countIn(new Set([...parts].filter((id) => !whole.has(id)))),
  };
}

interface LocomoFile {
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly { readonly evidence: readonly string[] }[];
}

async function readLocomo(folder: string): Promise<readonly Conversation[]> {
  const files = JSON.parse(await readFile(path.join(folder, "locomo", "locomo-dev.json"), "utf8")) as LocomoFile[];
  return files.map(({ conversation, qa }) => {
    const sessions = Object.entries(conversation).filter(([name]) => /^session_\d+$/.test(name));
    const turns = sessions.flatMap(([sessionId, said]) =>
      (said as { readonly speaker: string; readonly dia_id: string; readonly text: string }[]).map(
        ({ speaker, dia_id, text }, position) =>
          toTurn({ id: dia_id, sessionId, position, role: "user", speaker, text }),
      ),
    );
    return { set: "LoCoMo", turns, evidence: new Set(qa.flatMap(({ evidence }) => evidence)) };
  });
}

interface BeamBatch {
  readonly turns: readonly (readonly { readonly role: string; readonly id: number; readonly content: string }[])[];
}

async function readBeam(folder: string): Promise<readonly Conversation[]> {
  const root = path.join(folder, "beam", "100K");
  const names = await readdir(root);
  return Promise.all(
    names.map(async (name) => {
      const chat = JSON.parse(await readFile(path.join(root, name, "chat.json"), "utf8")) as BeamBatch[];
      const probes = path.join(root, name, "probing_questions", "probing_questions.json");
      const turns = chat.flatMap((batch, nth) =>
        batch.turns.flat().map(({ role, id, content }, position) =>
          toTurn({
            id: `${id}`,
            sessionId: `${nth}`,
            position,
            role,
            text: content.replace(/\s*->-> [\d,]+\s*$/, ""),
          }),
        ),
      );
      const ids = JSON.stringify(JSON.parse(await readFile(probes, "utf8"))).matchAll(
        /"source_chat_ids":(\{[^}]*\}|\[[^\]]*\])/g,
      );
      const evidence = new Set([...ids].flatMap(([, list = ""]) => list.match(/\d+/g) ?? []));
      return { set: "BEAM 100K", turns, evidence };
    }),
  );
}

function toTurn(
  said: Pick<Utterance, "id" | "sessionId" | "position" | "role" | "text"> & { readonly speaker?: string },
): Utterance {
  return { ...said, createdAt: 0, owner: "u" };
}
