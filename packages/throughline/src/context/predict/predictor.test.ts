import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { git, projectFolder, writeFiles } from "../../../../cli/src/workspace/project.fixture.ts";
import { openWorkspace } from "../../../../cli/src/workspace/workspace.ts";
import { HOUR } from "../../internal/time.ts";
import type { Prediction, Signal } from "../context-api.ts";
import { commitOf, historyOnly, openPredictor } from "./predictor.fixture.ts";

const pathsOf = ({ files }: Prediction): string[] => files.map(({ path: file }) => file);

/** Login changes with its session store, the cart with its prices. */
const COMMITS = Array.from({ length: 12 }, (_, at) =>
  at % 2 === 0
    ? commitOf(at, ["src/auth/login.ts", "src/auth/session-store.ts"])
    : commitOf(at, ["src/cart/cart.ts", "src/cart/price.ts"]),
);

describe("prediction from the git history alone", () => {
  it("predicts related files of a real repository without any session", async () => {
    const root = projectFolder({});
    git(root, "init");
    let hour = 10;
    const write = (message: string, files: Readonly<Record<string, string>>) => {
      writeFiles(root, files);
      git(root, "add", "--all");
      git(root, "commit", "--message", message, "--date", `2026-03-01T${hour}:00:00Z`);
      hour += 1;
    };
    write("first", { "src/login.ts": 'import "./token.ts";', "src/token.ts": "1", "src/cart.ts": "1", "gone.ts": "1" });
    for (const round of ["1", "2", "3"]) {
      write(`login ${round}`, {
        "src/login.ts": `import "./token.ts"; ${round}`,
        "docs/login.md": round,
        "gone.ts": round,
      });
      write(`cart ${round}`, { "src/cart.ts": round, "src/price.ts": round });
    }
    rmSync(path.join(root, "gone.ts"));
    const { predictor } = await openPredictor({ workspace: openWorkspace(root) });
    const progress: number[] = [];
    const learned = await predictor.learnHistory({ onProgress: ({ commits }) => progress.push(commits) });
    expect(learned).toEqual({ read: 7, kept: 7 });
    expect(progress.at(-1)).toBe(7);

    const prediction = await predictor.predict({ fileOpened: "src/login.ts" });
    expect(pathsOf(prediction)[0]).toBe("docs/login.md");
    expect(pathsOf(prediction)).toContain("src/token.ts");
    // Deleted without a commit: detected on the disk.
    expect(pathsOf(prediction)).not.toContain("gone.ts");
    expect(prediction.files.find((file) => file.path === "src/token.ts")?.reasons).toContain("imported by login.ts");
    expect(pathsOf(await predictor.predict({ fileOpened: "src/cart.ts" }))[0]).toBe("src/price.ts");

    write("more", { "src/cart.ts": "4", "src/tax.ts": "4" });
    expect(await predictor.learnHistory()).toEqual({ read: 1, kept: 8 });
    expect(await predictor.learnHistory()).toEqual({ read: 0, kept: 8 });
    expect(pathsOf(await predictor.predict({ fileOpened: "src/cart.ts" }))).toContain("src/tax.ts");
  });

  it("learns the same in steps as at once", async () => {
    const inputs: Signal[] = [
      { fileOpened: "src/auth/login.ts" },
      { fileOpened: "src/cart/new.ts" },
      { branch: "cart" },
    ];
    const predictAll = async (steps: readonly number[]) => {
      const { predictor, store } = await openPredictor();
      for (const step of steps) {
        const { predictor: one } = await openPredictor({ store, workspace: historyOnly(COMMITS.slice(0, step)) });
        await one.learnHistory();
      }
      return Promise.all(inputs.map((input) => predictor.predict(input)));
    };
    expect(await predictAll([1, 2, 7, 12])).toEqual(await predictAll([12]));
  });

  it("restarts after a rewritten history", async () => {
    const { store, predictor } = await openPredictor({ workspace: historyOnly(COMMITS) });
    await predictor.learnHistory();
    const anew = COMMITS.map((commit, at) =>
      commitOf(
        at + 500,
        commit.files.map((file) => `lib/${file}`),
        { at: commit.at },
      ),
    );
    const { predictor: after } = await openPredictor({ store, workspace: historyOnly(anew) });
    expect(await after.learnHistory()).toEqual({ read: 12, kept: 12 });
    expect(
      pathsOf(await after.predict({ fileOpened: "src/auth/login.ts" })).every((file) => file.startsWith("lib/")),
    ).toBe(true);
  });

  it("omits deleted files and follows renames", async () => {
    const later = [
      commitOf(20, ["src/auth/sessions.ts"], {
        renames: [{ from: "src/auth/session-store.ts", to: "src/auth/sessions.ts" }],
      }),
      commitOf(21, ["src/cart/cart.ts"], { removed: ["src/cart/price.ts"] }),
    ];
    const { predictor } = await openPredictor({ workspace: historyOnly([...COMMITS, ...later]) });
    await predictor.learnHistory();
    expect(pathsOf(await predictor.predict({ fileOpened: "src/auth/login.ts" }))[0]).toBe("src/auth/sessions.ts");
    expect(pathsOf(await predictor.predict({ fileOpened: "src/cart/cart.ts" }))).not.toContain("src/cart/price.ts");
  });

  it("is learned once if two processes learn it at once", async () => {
    const { predictor, store } = await openPredictor({ workspace: historyOnly(COMMITS) });
    const { predictor: beside } = await openPredictor({ store, workspace: historyOnly(COMMITS) });
    const learned = await Promise.all([predictor.learnHistory(), beside.learnHistory()]);
    expect(learned.map(({ kept }) => kept)).toEqual([12, 12]);
    expect(learned.reduce((sum, { read }) => sum + read, 0)).toBe(12);
    const [one, other] = await Promise.all(
      [predictor, beside].map((each) => each.predict({ fileOpened: "src/cart/cart.ts" })),
    );
    expect(one).toEqual(other);
  });

  it("stops when aborted, without partial results", async () => {
    const { predictor } = await openPredictor({ workspace: historyOnly(COMMITS) });
    const workspace = historyOnly(COMMITS);
    const { predictor: stopped } = await openPredictor({
      workspace: {
        ...workspace,
        async *history({ signal } = {}) {
          for await (const commit of workspace.history()) {
            signal?.throwIfAborted();
            yield commit;
          }
        },
      },
    });
    await expect(stopped.learnHistory({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
    expect((await stopped.predict({ fileOpened: "src/auth/login.ts" })).files).toEqual([]);
    expect(await predictor.learnHistory()).toMatchObject({ read: 12 });
  });

  it("does not block predictions while a long history is read", async () => {
    const whole = historyOnly(COMMITS);
    let goOn: () => void = () => undefined;
    const { predictor } = await openPredictor({
      workspace: {
        ...whole,
        async *history(options) {
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
          yield* whole.history(options);
        },
      },
    });
    const learning = predictor.learnHistory();
    const likely = async () => pathsOf(await predictor.predict({ fileOpened: "src/auth/login.ts" }))[0];
    expect(await likely()).not.toBe("src/auth/session-store.ts");
    goOn();
    await learning;
    expect(await likely()).toBe("src/auth/session-store.ts");
  });

  it("does nothing without a workspace", async () => {
    const { predictor } = await openPredictor();
    expect(await predictor.learnHistory()).toEqual({ read: 0, kept: 0 });
    expect(await predictor.predict({ fileOpened: "a.ts" })).toEqual({ memories: [], files: [], confidence: 0 });
  });
});

describe("prediction from sessions", () => {
  it("predicts no file by naming alone without a workspace that has it", async () => {
    const { predictor, clock } = await openPredictor();
    for (const name of ["cart", "price", "order"]) {
      for (const fileOpened of [`src/${name}.ts`, `src/${name}.test.ts`]) {
        clock.pass(HOUR / 10);
        await predictor.observe({ sessionId: name, fileOpened });
      }
    }
    clock.pass(HOUR);
    await predictor.observe({ sessionId: "login", fileOpened: "src/login.ts" });
    const { files } = await predictor.predict({ sessionId: "next", fileOpened: "src/login.ts" });
    expect(files.length).toBeGreaterThan(0);
    expect(files.map((file) => file.path)).not.toContain("src/login.test.ts");
  });

  it("predicts files that were used together or next", async () => {
    const { predictor, clock } = await openPredictor();
    for (const sessionId of ["s1", "s2", "s3"]) {
      for (const fileOpened of ["src/api.ts", "test/fixtures.json", "docs/usage.md"]) {
        clock.pass(HOUR / 10);
        await predictor.observe({ sessionId, fileOpened });
      }
    }
    const { files } = await predictor.predict({ sessionId: "s4", fileOpened: "src/api.ts" });
    expect(files.map((file) => file.path)).toEqual(["test/fixtures.json", "docs/usage.md"]);
    expect(files[0]?.reasons).toContain("came next after api.ts");
  });

  it("omits files that the session already uses", async () => {
    const { predictor } = await openPredictor({ workspace: historyOnly(COMMITS) });
    await predictor.learnHistory();
    const recentFiles = ["./src/auth/session-store.ts"];
    expect(pathsOf(await predictor.predict({ fileOpened: "src/auth/login.ts", recentFiles }))).not.toContain(
      "src/auth/session-store.ts",
    );
    await predictor.observe({ sessionId: "s", fileOpened: "src/auth/session-store.ts" });
    const told = await predictor.predict({ sessionId: "s", fileOpened: "src/auth/login.ts" });
    expect(pathsOf(told)).not.toContain("src/auth/session-store.ts");
  });

  it("includes files that the session mentioned", async () => {
    const { predictor } = await openPredictor({ workspace: historyOnly(COMMITS) });
    await predictor.learnHistory();
    const seen = "grep found:\nsrc/cart/price.ts:3: total\nsrc/cart/vat-rates.ts:9: rate";
    const { files } = await predictor.predict({ fileOpened: "src/auth/login.ts", seen });
    expect(
      files
        .slice(0, 2)
        .map((file) => file.path)
        .sort(),
    ).toEqual(["src/cart/price.ts", "src/cart/vat-rates.ts"]);
    expect(files[0]?.reasons).toContain("named in the session");
  });

  it("predicts files used on the branch and after the same error", async () => {
    const { predictor, clock } = await openPredictor({ workspace: historyOnly(COMMITS) });
    await predictor.learnHistory();
    for (const [sessionId, fileOpened] of [
      ["s1", "src/limits.ts"],
      ["s2", "src/quota.ts"],
    ] as const) {
      clock.pass(HOUR);
      await predictor.observe({ sessionId, branch: "ada/rate-limits" });
      await predictor.observe({ sessionId, fileOpened });
    }
    clock.pass(HOUR);
    await predictor.observe({ sessionId: "s3", error: "TimeoutError: no answer in 3000 ms\n  at /srv/a.ts:3" });
    await predictor.observe({ sessionId: "s3", fileOpened: "src/retry.ts" });
    clock.pass(HOUR);
    await predictor.observe({ sessionId: "s4", fileOpened: "src/cart/cart.ts" });
    expect(
      pathsOf(await predictor.predict({ branch: "ada/rate-limits" }))
        .slice(0, 2)
        .sort(),
    ).toEqual(["src/limits.ts", "src/quota.ts"]);
    expect(pathsOf(await predictor.predict({ error: "TimeoutError: no answer in 12 ms" }))[0]).toBe("src/retry.ts");
  });

  it("continues after a restart, and in another process", async () => {
    const { predictor, store, clock } = await openPredictor();
    const { predictor: beside } = await openPredictor({ store, clock });
    expect((await beside.predict({ fileOpened: "a.ts" })).files).toEqual([]);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? predictor : beside).observe({ sessionId: `s${at % 3}`, fileOpened: `${"abcdefg"[at % 7]}.ts` }),
      ),
    );
    clock.pass(2 * 60_000);
    const { predictor: restarted } = await openPredictor({ store, clock });
    const all = await Promise.all([predictor, beside, restarted].map((one) => one.predict({ fileOpened: "a.ts" })));
    expect(pathsOf(all[0] ?? { files: [], memories: [], confidence: 0 })).toHaveLength(6);
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
  });

  it("forgets a purged session completely", async () => {
    const { predictor, store } = await openPredictor();
    await predictor.observe({ sessionId: "secret", fileOpened: "plans/merger.md", branch: "merger" });
    await predictor.observe({ sessionId: "secret", fileOpened: "plans/price.md" });
    await predictor.observe({ sessionId: "other", fileOpened: "plans/lunch.md" });
    await predictor.forgetSession("secret");
    await predictor.forgetSession("never was");
    const kept = await Promise.all(
      (await store.documents.list("user:ada")).map((name) => store.documents.get("user:ada", name)),
    );
    expect(JSON.stringify(kept)).not.toMatch(/merger|secret/);
    expect(pathsOf(await predictor.predict({ fileOpened: "plans/price.md" }))).toEqual(["plans/lunch.md"]);
  });

  it("forgets a purged session from any project", async () => {
    const { predictor, store } = await openPredictor();
    await predictor.observe({ sessionId: "secret", fileOpened: "plans/merger.md" });
    await predictor.observe({ sessionId: "other", fileOpened: "plans/lunch.md" });
    const { predictor: elsewhere } = await openPredictor({ store, projectId: "blog" });
    await elsewhere.forgetSession("secret");
    const names = await store.documents.list("user:ada");
    const kept = JSON.stringify(await Promise.all(names.map((name) => store.documents.get("user:ada", name))));
    expect(kept).not.toMatch(/merger|secret/);
    expect(kept).toContain("lunch");
  });

  it("isolates users and projects", async () => {
    const { predictor, store } = await openPredictor();
    await predictor.observe({ sessionId: "s", fileOpened: "a.ts" });
    await predictor.observe({ sessionId: "s", fileOpened: "b.ts" });
    const { predictor: other } = await openPredictor({ store, userId: "bob" });
    const { predictor: elsewhere } = await openPredictor({ store, projectId: "blog" });
    for (const one of [other, elsewhere]) expect((await one.predict({ fileOpened: "a.ts" })).files).toEqual([]);
    const { predictor: again } = await openPredictor({ store });
    expect(pathsOf(await again.predict({ fileOpened: "a.ts" }))).toEqual(["b.ts"]);
  });
});

describe("a path outside of the project", () => {
  it("is ignored with a warning", async () => {
    const { predictor, warnings, store } = await openPredictor();
    await predictor.observe({ sessionId: "s", fileOpened: "../../etc/passwd" });
    expect((await predictor.predict({ fileOpened: "/etc/passwd" })).files).toEqual([]);
    expect(warnings).toHaveLength(2);
    expect(await store.documents.list("user:ada")).toEqual([]);
  });

  it("is not predicted if the session has shown it", async () => {
    const { predictor } = await openPredictor({ workspace: historyOnly(COMMITS) });
    await predictor.learnHistory();
    const seen = "/etc/shadow.ts ../../x.ts src/../../y.ts ~/.ssh/z.ts C:\\Windows\\w.ts https://a.example/v.ts";
    const paths = pathsOf(await predictor.predict({ fileOpened: "src/auth/login.ts", seen }));
    expect(paths.filter((file) => !file.startsWith("src/"))).toEqual([]);
  });

  it("tolerates an unreadable project", async () => {
    const broken = () => Promise.reject(new Error("no disk"));
    const workspace = { ...historyOnly(COMMITS), importsOf: broken, digest: broken };
    const { predictor } = await openPredictor({ workspace });
    await predictor.learnHistory();
    expect(pathsOf(await predictor.predict({ fileOpened: "src/auth/login.ts" }))[0]).toBe("src/auth/session-store.ts");
  });
});
