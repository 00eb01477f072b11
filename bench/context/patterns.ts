import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { openWorkspace } from "../../packages/cli/src/workspace/workspace.ts";
import type { CodePattern } from "../../packages/throughline/src/context/patterns/code-unit.ts";
import { learnPatterns } from "../../packages/throughline/src/context/patterns/learn-patterns.ts";
import { inProcessStore } from "../../packages/throughline/src/store/in-process.ts";
import { createThroughline } from "../../packages/throughline/src/throughline.ts";
import { type Cell, printTable } from "../print-table.ts";

const USAGE = "Usage: npm run bench -- context patterns [FOLDER ...] [--sizes 200,800,3200]\n";
const MEGABYTE = 1024 * 1024;
const HEADERS = ["project", "files", "first run s", "files/s", "again s", "parsed again", "patterns", "RSS MB"];

/** Measures how fast patterns are learned: from folders, or from generated projects of growing size. */
export async function run(args: readonly string[]): Promise<number> {
  const options = { sizes: { type: "string", default: "200,800,3200" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const sizes = values.sizes.split(",").map(Number);
  if (sizes.some((size) => !(size > 0))) {
    process.stderr.write(USAGE);
    return 2;
  }
  const found: CodePattern[][] = [];
  const rows: Cell[][] = [];
  const add = async (name: string, folder: string): Promise<void> => {
    const { row, patterns } = await measure(name, folder);
    rows.push(row);
    found.push(patterns);
  };
  for (const folder of positionals) await add(path.basename(path.resolve(folder)), folder);
  for (const size of positionals.length > 0 ? [] : sizes) {
    const folder = await makeProject(size);
    await add(`made up, ${size}`, folder).finally(() => rm(folder, { recursive: true }));
  }
  printTable(HEADERS, rows);
  for (const { hint, support } of found.at(-1) ?? []) console.log(`${hint}  (${support.files} of ${support.of} files)`);
  return rows.every((row) => row[5] === 0) ? 0 : 1;
}

async function measure(name: string, folder: string): Promise<{ row: Cell[]; patterns: CodePattern[] }> {
  const store = inProcessStore();
  const { memory } = await createThroughline({ store, userId: "ada", projectId: name });
  const learn = async () => {
    const start = performance.now();
    const workspace = openWorkspace(folder);
    const learned = await learnPatterns({
      workspace,
      memory,
      documents: store.documents,
      userId: "ada",
      projectId: name,
    });
    return { ...learned, seconds: (performance.now() - start) / 1_000 };
  };
  const first = await learn();
  const again = await learn();
  const { files } = first.read;
  const speed = Math.round(files / first.seconds);
  const rss = Math.round(process.memoryUsage().rss / MEGABYTE);
  const times = [first.seconds, again.seconds].map((seconds) => seconds.toFixed(1));
  const row = [name, files, times[0] ?? "", speed, times[1] ?? "", again.read.parsed, first.patterns.length, rss];
  return { row, patterns: first.patterns.map(({ pattern }) => pattern) };
}

const KINDS: readonly ((name: string) => readonly [file: string, text: string])[] = [
  (name) => [
    `src/routes/${name}.ts`,
    `import { z } from "zod";
import { save } from "../services/${name}.js";
const Input = z.object({ name: z.string(), amount: z.number() });
router.post("/api/${name}", async (req, res) => {
  const parsed = Input.safeParse(req.body);
  if (!parsed.success) return res.status(400).json({ error: parsed.error });
  const result = await save(parsed.data);
  if (!result.ok) return res.status(409).json({ error: result.error });
  return res.status(201).json({ data: result.value });
});\n`,
  ],
  (name) => [
    `src/services/${name}.ts`,
    `import { err, ok, type Result } from "../lib/result.js";
export async function save(input: unknown): Promise<Result<string, string>> {
  const row = await database.insertInto("${name}").values(input).returningAll().executeTakeFirst();
  return row === undefined ? err("nothing was written") : ok(row.id);
}
export class ${name}Error extends ServiceError {
  constructor(reason: string) { super("${name}", reason); }
}\n`,
  ],
  (name) => [
    `src/services/${name}.test.ts`,
    `import { describe, expect, it } from "vitest";
describe("${name}", () => {
  it("saves", async () => expect(await save({ name: "a" })).toEqual({ ok: true }));
  it("refuses nothing", async () => expect(await save(undefined)).toMatchObject({ ok: false }));
});\n`,
  ],
  (name) => [
    `src/ui/${name}-panel.tsx`,
    `export function ${name}Panel({ id }: Props) {
  const t = useTranslation("${name}");
  const [open, setOpen] = useState(false);
  return <Panel title={t("title")} open={open} onToggle={() => setOpen(!open)}>{id}</Panel>;
}\n`,
  ],
];

async function makeProject(files: number): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
  for (let i = 0; i < files; i += 1) {
    const [file, text] = KINDS[i % KINDS.length]?.(`Thing${Math.floor(i / KINDS.length)}`) ?? ["", ""];
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  return root;
}
