import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, onTestFinished } from "vitest";

/**
 * Creates a folder with these files, deleted after the test, or after the tests of a file if it is made outside of one.
 */
export function projectFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(path.join(tmpdir(), "throughline-project-"));
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    onTestFinished(remove);
  } catch {
    // Outside of a test.
    afterAll(remove);
  }
  writeFiles(root, files);
  return root;
}

export function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
}

function withoutGit(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
}

export function git(root: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...who, ...args], { cwd: root, env: withoutGit(), stdio: "ignore" });
}

/** Commits files to a new repository, one commit after the other, with three processes in total. */
export function commitAll(
  root: string,
  commits: readonly { readonly message: string; readonly files: Readonly<Record<string, string>> }[],
): void {
  git(root, "init");
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const stream = commits.flatMap(({ message, files }, at) => [
    `commit refs/heads/main\ncommitter Ada <ada@example.org> ${Math.floor(Date.now() / 1_000) - commits.length + at} +0000\n`,
    data(message),
    ...Object.entries(files).map(([file, content]) => `M 100644 inline ${file}\n${data(content)}`),
  ]);
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, env: withoutGit(), input: stream.join("") });
  git(root, "reset", "--hard", "main");
}

/** A repository in which `src/login.ts` changes with `src/session.ts`, and `src/cart.ts` with `src/price.ts`. */
export function repositoryOfPairs(): string {
  const root = projectFolder({});
  const pairs = [
    ["src/login.ts", "src/session.ts"],
    ["src/cart.ts", "src/price.ts"],
  ];
  const commits = ["1", "2", "3", "4"].flatMap((round) =>
    pairs.map((pair) => ({
      message: `${pair[0]} ${round}`,
      files: Object.fromEntries(pair.map((file) => [file, round])),
    })),
  );
  commitAll(root, commits);
  return root;
}
