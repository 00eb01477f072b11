import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

const made: string[] = [];

/** A folder with these files, until the tests of the file are over. */
export function projectFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(path.join(tmpdir(), "throughline-project-"));
  if (made.length === 0) {
    afterAll(() => {
      for (const one of made) rmSync(one, { recursive: true, force: true });
    });
  }
  made.push(root);
  writeFiles(root, files);
  return root;
}

export function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
}

export function git(root: string, ...args: readonly string[]): void {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...who, ...args], { cwd: root, env, stdio: "ignore" });
}

/** A repository in which `src/login.ts` changes with `src/session.ts`, and `src/cart.ts` with `src/price.ts`. */
export function repositoryOfPairs(): string {
  const root = projectFolder({});
  git(root, "init");
  for (const round of ["1", "2", "3", "4"]) {
    for (const pair of [
      ["src/login.ts", "src/session.ts"],
      ["src/cart.ts", "src/price.ts"],
    ]) {
      writeFiles(root, Object.fromEntries(pair.map((file) => [file, round])));
      git(root, "add", "--all");
      git(root, "commit", "--message", `${pair[0]} ${round}`);
    }
  }
  return root;
}
