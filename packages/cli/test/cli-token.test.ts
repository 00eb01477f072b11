import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createServer } from "../../server/src/server.ts";
import { ask } from "../../server/test/request.ts";
import { studioFolder } from "../../server/test/studio-folder.ts";
import { sqliteStore } from "../../throughline/src/store/sqlite/sqlite.ts";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const studio = studioFolder();

function tokenCommands() {
  const commands = memoryCommands(folder.fresh("data"));
  const file = path.join(commands.data, "throughline.db");
  /** A server on the same data that requires a token. */
  const serve = async () => {
    const store = sqliteStore(file);
    const server = await createServer({ store, port: 0, studio: studio.path, isTokenRequired: true });
    const statusOf = async (token: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
      const about = { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers };
      const body = method === "GET" ? {} : { body: '{"text":"We deploy on Fridays."}' };
      return (await ask(server.url, "/memories", { method, headers: about, ...body })).status;
    };
    const close = async () => {
      await server.close();
      await store.close();
    };
    return { statusOf, close };
  };
  return { ...commands, file, serve };
}

describe("throughline token create", () => {
  it("prints only the token, once, and stores only its hash", async () => {
    const { run, json, file } = tokenCommands();
    const { code, stdout, stderr } = await run("token", "create", "--user", "ada", "--name", "laptop");
    expect(code).toBe(0);
    const [, id = "", secret = ""] = /^tl_([0-9a-f]{16})_([\w-]{43})\n$/.exec(stdout) ?? [];
    expect(stderr).toContain(`throughline token revoke ${id}\n`);
    const kept = await json("token", "list");
    expect(kept).toEqual([
      { id, name: "laptop", userId: "ada", projects: [], scopes: ["read", "write"], createdAt: expect.any(Number) },
    ]);
    const { stdout: listed } = await run("token", "list");
    expect(listed).toBe(`${id}  laptop: ada (read, write)  never used\n`);
    for (const text of [readFileSync(file, "latin1"), listed, JSON.stringify(kept), stderr]) {
      expect(text).not.toContain(secret);
    }
  });

  it("sets projects, scopes and an expiry", async () => {
    const { json, run } = tokenCommands();
    const [scopes, projects] = [
      ["--scope", "read", "--scope", "admin", "--scope", "read"],
      ["--project", "shop", "-p", "*"],
    ];
    const made = await json("token", "create", "--user", "ci", ...scopes, ...projects, "--expires", "2999-01-31");
    expect(made).toMatchObject({
      token: expect.stringMatching(/^tl_/),
      name: "token",
      userId: "ci",
      scopes: ["read", "admin"],
      projects: ["shop", "*"],
      expiresAt: new Date("2999-01-31T23:59:59.999").getTime(),
    });
    expect(made).not.toHaveProperty("hash");
    expect((await run("token", "list")).stdout).toContain(
      "ci, shop, * (read, admin)  never used, valid until 2999-01-31",
    );
  });

  it("gives access to a server on the same data, for its user, projects and scopes", async () => {
    const { json, serve } = tokenCommands();
    const { token: all } = await json("token", "create", "--user", "ada", "--project", "shop");
    const { token: reader } = await json("token", "create", "--user", "ada", "--scope", "read");
    const { statusOf, close } = await serve();
    expect(await statusOf("tl_0123456789abcdef_none")).toBe(401);
    expect(await statusOf(all, {}, "POST")).toBe(201);
    expect(await statusOf(all, { "x-throughline-project": "shop" })).toBe(200);
    expect(await statusOf(all, { "x-throughline-project": "other" })).toBe(403);
    expect(await statusOf(reader)).toBe(200);
    expect(await statusOf(reader, {}, "POST")).toBe(403);
    await close();
    const [used] = await json("token", "list");
    expect(used.lastUsedAt).toBeGreaterThan(0);
  });

  it.each([
    [["create"], "required option '--user <id>' not specified"],
    [["create", "--user", ""], "Expected a non-empty name."],
    [["create", "--user", "ada", "--project", " "], "Expected a non-empty name."],
    [["create", "--user", "ada", "--scope", "all"], "Allowed choices are read, write, admin."],
    [["create", "--user", "ada", "--expires", "tomorrow"], "Expected a date"],
    [["create", "--user", "ada", "--expires", "2020-01-31"], "--expires is in the past."],
    [["revoke"], "missing required argument"],
    [["destroy"], "unknown command 'destroy'"],
  ])("reports what is wrong with %j, and creates nothing", async (args, problem) => {
    const { run, json } = tokenCommands();
    const { code, stdout, stderr } = await run("token", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(problem);
    expect(await json("token", "list")).toEqual([]);
  });
});

describe("throughline token revoke", () => {
  it("revokes a token at once for a running server, from another process", async () => {
    const { data, json, run, serve } = tokenCommands();
    const { token, id } = await json("token", "create", "--user", "ada");
    const { statusOf, close } = await serve();
    expect(await statusOf(token)).toBe(200);
    expect(await runMain(["token", "revoke", id, "--data", data])).toEqual({
      code: 0,
      stdout: `Token ${id} (token, of ada) is revoked.\n`,
      stderr: "",
    });
    expect(await statusOf(token)).toBe(401);
    await close();
    expect((await run("token", "list")).stdout).toContain("revoked on ");
    expect(await run("token", "revoke", id)).toMatchObject({ code: 2, stdout: "" });
  });

  it("accepts a prefix of an id, and only prints the token with --dry-run", async () => {
    const { json, run } = tokenCommands();
    const { id } = await json("token", "create", "--user", "ada", "--name", "lap\ntop");
    const dry = await run("token", "revoke", id.slice(0, 8), "--dry-run");
    expect(dry.stdout).toBe(`Token ${id} (lap top, of ada) would be revoked. Nothing was changed.\n`);
    expect((await json("token", "list"))[0]).not.toHaveProperty("revokedAt");
    expect(await json("token", "revoke", id.slice(0, 8))).toEqual({
      ...{ id, name: "lap\ntop", userId: "ada" },
      ...{ dryRun: false, revoked: true },
    });
  });

  it("reports that there is none, and creates nothing", async () => {
    const { run } = tokenCommands();
    expect(await run("token", "revoke", "5f0c")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "throughline: Could not revoke the token 5f0c: no active token has this id or prefix.\nList the tokens with `throughline token list`.\n",
    });
    expect((await run("token", "list")).stdout).toBe("No tokens. Create one: throughline token create --user NAME\n");
    expect((await run("doctor")).stdout).toContain("none yet");
  });
});
