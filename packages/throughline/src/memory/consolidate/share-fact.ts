import { omitUndefined } from "../../internal/json.ts";
import type { Memory, MemorySource } from "../../ports/memory.ts";
import { REPETITION_BOOST } from "../facts/fact-rules.ts";

const MAX_SOURCES = 20;

/**
 * Makes a shared fact of a project from equivalent private facts. Speakers, sessions and times are kept. Quotes, pins,
 * links and usage counts stay private. The result has no category, because categories belong to chat facts.
 *
 * @param facts Equivalent private facts, the oldest first. The text of the first one is used.
 * @returns The shared fact, or undefined if `facts` is empty.
 */
export function shareFact(
  facts: readonly Memory[],
  { id, projectId, now }: { readonly id: string; readonly projectId: string; readonly now: number },
): Memory | undefined {
  const [first] = facts;
  if (first === undefined) return undefined;
  const [source = {}, ...earlierSources] = sourcesOf(facts);
  return omitUndefined({
    id,
    kind: first.kind,
    levels: first.levels,
    key: first.key,
    value: first.value,
    subject: first.subject ?? "project",
    aliases: [...new Set(facts.flatMap(({ aliases }) => aliases))],
    confidence: confidenceOf(facts),
    mentions: mentionsOf(facts),
    pinned: false,
    byHand: facts.some(({ byHand }) => byHand),
    owner: first.owner,
    projectId,
    scope: "project-shared" as const,
    createdAt: now,
    lastSeenAt: lastSeen(facts),
    validFrom: Math.min(...facts.map(({ validFrom }) => validFrom)),
    usage: { retrieved: 0, cited: 0, ignored: 0 },
    source,
    earlierSources: earlierSources.length === 0 ? undefined : earlierSources,
    artifacts: artifactsOf(facts),
    links: [],
  });
}

/** Updates a shared fact from the private facts behind it. Returns the same object if they add nothing. */
export function updateSharedFact(shared: Memory, facts: readonly Memory[]): Memory {
  if (facts.length === 0) return shared;
  const next = {
    ...shared,
    mentions: Math.max(shared.mentions, mentionsOf(facts)),
    confidence: Math.max(shared.confidence, confidenceOf(facts)),
    lastSeenAt: Math.max(shared.lastSeenAt, lastSeen(facts)),
  };
  const isSame =
    next.mentions === shared.mentions && next.confidence === shared.confidence && next.lastSeenAt === shared.lastSeenAt;
  return isSame ? shared : next;
}

/** The highest confidence, plus the boost of a repetition for each further user. */
function confidenceOf(facts: readonly Memory[]): number {
  const users = new Set(facts.map(({ owner }) => owner)).size;
  return Math.min(1, Math.max(...facts.map(({ confidence }) => confidence)) + REPETITION_BOOST * (users - 1));
}

function mentionsOf(facts: readonly Memory[]): number {
  return facts.reduce((sum, { mentions }) => sum + mentions, 0);
}

function lastSeen(facts: readonly Memory[]): number {
  return Math.max(...facts.map(({ lastSeenAt }) => lastSeenAt));
}

/** Sources without quotes, the latest first. */
function sourcesOf(facts: readonly Memory[]): readonly MemorySource[] {
  const sources = facts.map(({ source, owner, lastSeenAt }) => {
    const { quote: _, ...place } = source;
    return { ...place, speaker: source.speaker ?? owner, at: source.at ?? lastSeenAt };
  });
  return sources.sort((a, b) => b.at - a.at).slice(0, 1 + MAX_SOURCES);
}

function artifactsOf(facts: readonly Memory[]): Memory["artifacts"] {
  const all = facts.flatMap(({ artifacts }) => artifacts);
  return [...new Map(all.map((artifact) => [`${artifact.type} ${artifact.ref}`, artifact])).values()];
}
