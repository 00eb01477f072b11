import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyBytes, readEncryptionKey } from "./encryption-key.ts";

const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 });

let folder: string;
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-key-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function keyFile(content: string | Uint8Array, mode = 0o600): string {
  files += 1;
  const path = join(folder, `key-${files}`);
  writeFileSync(path, content, { mode });
  chmodSync(path, mode);
  return path;
}

describe("a key", () => {
  it("is 32 bytes, or their base64 in either alphabet, or their hex in either case", () => {
    fc.assert(
      fc.property(anyKey, (bytes) => {
        const buffer = Buffer.from(bytes);
        const hex = buffer.toString("hex");
        const forms = [bytes, buffer, buffer.toString("base64"), buffer.toString("base64url"), hex, hex.toUpperCase()];
        for (const form of forms) expect(keyBytes(form)).toEqual(bytes);
        expect(keyBytes(` ${buffer.toString("base64")}\n`)).toEqual(bytes);
      }),
    );
  });

  it("is the caller's to wipe", () => {
    const given = new Uint8Array(32).fill(7);
    const kept = keyBytes(given);
    given.fill(0);
    expect(kept).toEqual(new Uint8Array(32).fill(7));
  });

  it.each([
    ["a passphrase", "correct horse battery staple"],
    ["nothing", ""],
    ["31 bytes as base64", Buffer.alloc(31, 1).toString("base64")],
    ["33 bytes as hex", Buffer.alloc(33, 1).toString("hex")],
    ["16 bytes", new Uint8Array(16)],
  ])("is not %s, and the error does not repeat it", (_, wrong) => {
    const refused = () => keyBytes(wrong);
    expect(refused).toThrow(expect.objectContaining({ code: "invalid-option" }));
    expect(refused).toThrow(expect.objectContaining({ hint: expect.stringContaining("openssl rand -base64 32") }));
    if (typeof wrong === "string" && wrong !== "") expect(refused).not.toThrow(wrong);
  });
});

describe("readEncryptionKey", () => {
  const key = Buffer.alloc(32, 5);
  const THROUGHLINE_ENCRYPTION_KEY = key.toString("base64");

  it("takes the key from the environment, or from the file that it names, or from a file", () => {
    expect(readEncryptionKey({ env: { THROUGHLINE_ENCRYPTION_KEY } })).toEqual(Uint8Array.from(key));
    for (const content of [`${key.toString("base64")}\n`, key.toString("hex"), key]) {
      const file = keyFile(content);
      expect(readEncryptionKey({ env: { THROUGHLINE_ENCRYPTION_KEY_FILE: file } })).toEqual(Uint8Array.from(key));
      expect(readEncryptionKey({ file, env: { THROUGHLINE_ENCRYPTION_KEY: "else" } })).toEqual(Uint8Array.from(key));
    }
  });

  it("returns undefined if nothing is set", () => {
    expect(readEncryptionKey({ env: {} })).toBeUndefined();
    expect(readEncryptionKey({})).toBeUndefined();
  });

  it("refuses a variable that is empty, and two that may differ", () => {
    const invalid = expect.objectContaining({ code: "invalid-option" });
    expect(() => readEncryptionKey({ env: { THROUGHLINE_ENCRYPTION_KEY: "" } })).toThrow(invalid);
    expect(() => readEncryptionKey({ env: { THROUGHLINE_ENCRYPTION_KEY_FILE: "" } })).toThrow(invalid);
    const both = { THROUGHLINE_ENCRYPTION_KEY, THROUGHLINE_ENCRYPTION_KEY_FILE: keyFile(key) };
    expect(() => readEncryptionKey({ env: both })).toThrow("Invalid THROUGHLINE_ENCRYPTION_KEY: set together with");
  });

  it.skipIf(process.platform === "win32").each([0o604, 0o640, 0o644, 0o660, 0o602, 0o610])(
    "refuses a file that other users can access, with advice: mode %o",
    (mode) => {
      const file = keyFile(key, mode);
      expect(() => readEncryptionKey({ file })).toThrow(
        expect.objectContaining({
          summary: `Invalid key file ${file}: readable by other users (mode ${mode.toString(8)}).`,
          hint: `Expected a private file: chmod 600 ${file}.`,
        }),
      );
    },
  );

  it("refuses a missing file, a file that is not regular and one without a key, without repeating its content", () => {
    const missing = join(folder, "missing");
    expect(() => readEncryptionKey({ file: missing })).toThrow(`Invalid key file ${missing}: not found.`);
    expect(() => readEncryptionKey({ file: folder })).toThrow(`Invalid key file ${folder}: not a regular file.`);
    const wrong = keyFile("my secret passphrase\n");
    expect(() => readEncryptionKey({ file: wrong })).toThrow(`Invalid key in ${wrong}: `);
    expect(() => readEncryptionKey({ file: wrong })).not.toThrow("passphrase");
    expect(() => readEncryptionKey({ file: keyFile("x".repeat(5000)) })).toThrow("that are not a key");
    expect(() => readEncryptionKey({ file: keyFile("") })).toThrow("that are not a key");
  });

  it.skipIf(process.platform === "win32")("does not wait for a pipe", () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", ["-m", "600", pipe]);
    expect(() => readEncryptionKey({ file: pipe })).toThrow("not a regular file");
  });
});
