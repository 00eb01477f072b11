import type { Memory } from "throughline";
import { oneLine } from "throughline/internal";
import { writeTime } from "../dates.ts";
import { shortText } from "../fit-texts.ts";
import { dataText } from "../quoted-data.ts";

/** Tokens of a memory that is read whole; `expand` reads more. */
const MAX_TOKENS = 4_000;
const MAX_NAME_LENGTH = 200;

/** A memory with what is known of it, for a reader. */
export function renderMemory(memory: Memory): string {
  const { id, kind, category, pinned, levels, confidence, mentions, links } = memory;
  const head = [`Memory ${oneLine(id, MAX_NAME_LENGTH)}`, category ?? kind, ...(pinned ? ["pinned"] : [])].join(", ");
  const facts = [
    timesOf(memory),
    `Confidence ${confidence.toFixed(2)}, said ${mentions} ${mentions === 1 ? "time" : "times"}.`,
    ...(links.length === 0 ? [] : [`Belongs to ${links.slice(0, 10).join(", ")}.`]),
  ];
  return [
    head,
    ...facts.map((fact) => oneLine(fact, 600)),
    dataText("memory", shortText(levels.full, MAX_TOKENS)),
  ].join("\n");
}

function timesOf({ source: { speaker, sessionId }, validFrom, validTo, archivedAt, supersededBy }: Memory): string {
  const day = (time: number) => writeTime(time).slice(0, 10);
  return [
    `True since ${day(validFrom)}`,
    ...(validTo === undefined ? [] : [`until ${day(validTo)}`]),
    ...(supersededBy === undefined ? [] : [`replaced by ${supersededBy}`]),
    ...(archivedAt === undefined ? [] : [`forgotten ${day(archivedAt)}`]),
    ...(speaker === undefined ? [] : [`said by ${speaker}`]),
    ...(sessionId === undefined ? [] : [`in session ${sessionId}`]),
  ].join(", ");
}
