import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { moduleName } from "../../../server/test/provider/scripted-task.ts";

/** A home folder and a repository that no other run uses. */
export interface Scratch {
  readonly home: string;
  readonly repository: string;
  remove(): void;
}

const folders = new Set<string>();
const removeFolder = (folder: string) => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  folders.delete(folder);
};
// Runs even if the test fails or is interrupted.
process.on("exit", () => folders.forEach(removeFolder));

export function createScratch(modules: number): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "throughline-client-"));
  folders.add(folder);
  const [home, repository] = [join(folder, "home"), join(folder, "shop")];
  for (const path of [join(home, "tmp"), join(repository, "src", "legacy"), join(repository, "test")])
    mkdirSync(path, { recursive: true });
  const size = modules > 30 ? 130 : 105;
  for (let index = 0; index < modules; index += 1) {
    writeFileSync(join(repository, "src", `${moduleName(index)}.mjs`), moduleText(index, size));
  }
  writeFileSync(join(repository, "src", "legacy", "old.mjs"), "export const untouched = true;\n");
  writeFileSync(join(repository, "test", "run.mjs"), testText(modules));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { cwd: repository });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "feat: order totals");
  return { home, repository, remove: () => removeFolder(folder) };
}

/** A module of about 60 tokens per function. */
function moduleText(index: number, functions: number): string {
  const name = moduleName(index);
  const helpers = Array.from({ length: functions }, (_, at) => {
    const rate = ((index * 31 + at * 17) % 89) / 100;
    return `/** Applies discount ${at} of ${name} to an order line, rounded to cents. */
export function discount_${name}_${at}(line, { quantity = ${at + 1}, region = "${["north", "south", "east", "west"][at % 4]}" } = {}) {
  const net = line.price * quantity * (1 - ${rate});
  return { ...line, region, net: Math.round(net * 100) / 100, rule: "${name}-${at * 7}" };
}
`;
  });
  return `/** Totals of orders in ${name}. */
export function order_total_${name}(lines) {
  return lines.reduce((sum, line) => sum + line.net, 0);
}

${helpers.join("\n")}`;
}

function testText(modules: number): string {
  return `import { readFileSync } from "node:fs";
for (let index = 0; index < ${modules}; index += 1) {
  const name = "mod_" + String(index).padStart(2, "0");
  const text = readFileSync(new URL("../src/" + name + ".mjs", import.meta.url), "utf8");
  console.log((text.includes("order_sum_" + name) ? "ok     " : "waiting") + " " + name + " " + text.length + " characters");
}
console.error("TypeError: lines is not iterable\\n    at order_sum_mod_07 (src/mod_07.mjs:42:11)");
process.exitCode = 1;
`;
}
