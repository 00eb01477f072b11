import { findSecrets } from "../../internal/find-secrets.ts";
import { digest, isRecord } from "../../internal/json.ts";
import { stableId } from "../../memory/ids.ts";
import type { MemoryService } from "../../memory/memory-service.ts";
import type { Caller } from "../../memory/space/spaces.ts";
import type { DocumentStore } from "../../ports/store.ts";
import type { SyntaxNode, Workspace } from "../../ports/workspace.ts";
import { changeDocument } from "../change-document.ts";
import { type UpsertOutcome, upsertLearned } from "../episodes/learned-entries.ts";
import type { CodePattern, CodePlace } from "./code-unit.ts";
import { descendants } from "./read/syntax-nodes.ts";

/** A learned pattern and its memory. */
export interface LearnedPattern {
  readonly pattern: CodePattern;
  readonly memoryId: string;
  /** `left`: a user changed, archived or erased the memory, so it was not written. */
  readonly outcome: UpsertOutcome;
}

/** A pattern that the code no longer follows. Its memory is archived. */
export interface ClosedPattern {
  readonly key: string;
  readonly memoryId: string;
}

/** Learned patterns, and those that no longer apply. */
export interface KeptPatterns {
  readonly patterns: readonly LearnedPattern[];
  readonly closed: readonly ClosedPattern[];
}

export interface SaveOptions extends Caller {
  readonly memory: MemoryService;
  readonly documents: DocumentStore;
  readonly workspace: Workspace;
  readonly space: string;
  /** Prefix of document names. */
  readonly prefix: string;
  /** Path of the workspace in its repository. */
  readonly subfolder: string;
  readonly dryRun: boolean;
}

/** Digests of a pattern and its memory after the last run. */
interface LearnedEntry {
  /** Digest of the mined pattern. */
  readonly signature: string;
  /** Digest of its memory's text. */
  readonly told: string;
  /** True if its memory was archived because the code no longer follows it. */
  readonly closed?: true;
}

type LearnedEntries = Readonly<Record<string, LearnedEntry>>;

/** Saves patterns as memories: adds new ones, updates changed ones and archives those that no longer apply. */
export async function savePatterns(found: readonly CodePattern[], options: SaveOptions): Promise<KeptPatterns> {
  const before = await readEntries(options);
  const now: Record<string, LearnedEntry> = {};
  const patterns: LearnedPattern[] = [];
  for (const pattern of found) {
    const { entry, outcome } = await savePattern(pattern, before[pattern.key], options);
    now[pattern.key] = entry;
    patterns.push({ pattern, memoryId: idOf(pattern.key, options), outcome });
  }
  const closed: ClosedPattern[] = [];
  for (const [key, entry] of Object.entries(before)) {
    if (now[key] !== undefined) continue;
    now[key] = { ...entry, closed: true };
    if (entry.closed === undefined && (await close(key, entry, options)))
      closed.push({ key, memoryId: idOf(key, options) });
  }
  if (!options.dryRun) await writeEntries(now, options);
  return { patterns, closed };
}

interface SavedPattern {
  readonly entry: LearnedEntry;
  readonly outcome: UpsertOutcome;
}

async function savePattern(
  pattern: CodePattern,
  before: LearnedEntry | undefined,
  options: SaveOptions,
): Promise<SavedPattern> {
  const signature = digest(pattern);
  if (before?.signature === signature && before.closed === undefined) return { entry: before, outcome: "unchanged" };
  const { memory, workspace, dryRun } = options;
  const id = idOf(pattern.key, options);
  const known = await memory.get(id);
  // Only the user who learned a pattern updates its memory.
  if (known !== undefined && known.owner !== options.userId) return { entry: { signature, told: "" }, outcome: "left" };
  const isBack = before?.closed === true && known?.archivedAt !== undefined;
  if (dryRun) return { entry: { signature, told: "" }, outcome: known === undefined || isBack ? "added" : "updated" };
  if (isBack) await memory.update(id, { archived: false });
  const input = await toInput(pattern, id, workspace, options);
  const { outcome, digest: told } = await upsertLearned(memory, input, before?.told);
  if (outcome === "added" || outcome === "updated") await memory.update(id, { confidence: pattern.confidence });
  return { entry: { signature, told }, outcome: isBack ? "added" : outcome };
}

async function toInput(pattern: CodePattern, id: string, workspace: Workspace, { projectId }: Caller) {
  const { title, trigger, template, examples } = pattern;
  return {
    id,
    kind: "pattern" as const,
    text: await describePattern(pattern, workspace),
    title,
    template,
    key: trigger,
    aliases: [trigger],
    scope: projectId === undefined ? ("user-private" as const) : ("project-shared" as const),
    byHand: false,
    artifacts: examples.map(({ path }) => ({ type: "file" as const, ref: path })),
  };
}

/**
 * Archives the memory of a pattern, unless a user edited or pinned it. Returns true if it did, or would in a dry run.
 */
async function close(key: string, { told }: LearnedEntry, options: SaveOptions): Promise<boolean> {
  const { memory, userId, dryRun } = options;
  const known = await memory.get(idOf(key, options));
  const isOurs = known !== undefined && known.owner === userId && known.archivedAt === undefined;
  if (!isOurs || known.pinned || digest(known.levels.full) !== told) return false;
  if (!dryRun) await memory.forget(known.id);
  return true;
}

function idOf(key: string, { projectId = "", userId, subfolder }: SaveOptions): string {
  return stableId(["pattern", projectId === "" ? userId : "", projectId, subfolder, key]);
}

async function readEntries({ documents, space, prefix }: SaveOptions): Promise<LearnedEntries> {
  const value = (await documents.get(space, `${prefix}told`))?.value;
  // Only this module writes it.
  return isRecord(value) ? (value as LearnedEntries) : {};
}

/** Concurrent runs write the same content, because they learn from the same project. */
async function writeEntries(entries: LearnedEntries, { documents, space, prefix }: SaveOptions): Promise<void> {
  await changeDocument({ documents, space, name: `${prefix}told` }, (value) =>
    digest(value) === digest(entries) ? undefined : entries,
  );
}

const MAX_LINES = 24;
const MAX_CHARACTERS = 1_600;

/** Full text of a pattern: title, parts, an example, and places of further ones. */
async function describePattern(pattern: CodePattern, workspace: Pick<Workspace, "parse">): Promise<string> {
  const { title, trigger, template, examples, support } = pattern;
  const places = examples.map(({ path, line }) => `${path}:${line}`);
  let code: string | undefined;
  for (const place of examples) code ??= await readExample(place, workspace);
  return [
    `${title} (${trigger}): how this project writes it, in ${support.files} of ${support.of} ${support.of === 1 ? "file" : "files"}.`,
    ...Object.entries(template).map(([part, value]) => `${part}: ${value}`),
    `Examples: ${places.join(", ")}`,
    ...(code === undefined ? [] : ["", code]),
  ].join("\n");
}

/** Code at a place, shortened if it is long. Undefined if it is gone or contains a secret. */
async function readExample(place: CodePlace, workspace: Pick<Workspace, "parse">): Promise<string | undefined> {
  const source = await workspace.parse(place.path);
  const node = source && outermostAt(source.root, place.line);
  if (node === undefined) return undefined;
  const lines = node.text.split("\n");
  const cut = lines.slice(0, MAX_LINES).join("\n").slice(0, MAX_CHARACTERS);
  const code = cut.length < node.text.length ? `${cut}\n…` : cut;
  return findSecrets(code).length > 0 ? undefined : code;
}

/** Outermost node that starts at a line, with its decorators. */
function outermostAt(root: SyntaxNode, line: number): SyntaxNode | undefined {
  const nodes = [...descendants(root)];
  const found = nodes.find((node) => node !== root && node.isNamed && node.line === line && node.children.length > 0);
  const marked = nodes.find(
    ({ type, children }) => type === "decorated_definition" && children.some((one) => one === found),
  );
  return marked ?? found;
}
