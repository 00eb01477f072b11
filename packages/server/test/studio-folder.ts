import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";

export const PAGE = "<!doctype html><title>Studio</title>";
export const SCRIPT = `export const words = ${JSON.stringify("through the line ".repeat(5_000))};\n`;
export const VECTORS = Buffer.alloc(50_000, "abcdefgh");

/** A minimal built Studio, with a secret file next to it. */
export function studioFolder() {
  let root = "";
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), "throughline-server-"));
    await mkdir(path.join(root, "studio", "assets"), { recursive: true });
    const files = {
      "secret.txt": "secret",
      "studio/index.html": PAGE,
      "studio/sw.js": "self.skipWaiting();",
      "studio/icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "studio/manifest.webmanifest": "{}",
      "studio/assets/index-Ab12Cd34.js": SCRIPT,
      "studio/assets/words-Ef56Gh78.bin": VECTORS,
    };
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(root, name), content);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));
  return {
    get path() {
      return path.join(root, "studio");
    },
    get empty() {
      return path.join(root, "studio", "assets");
    },
  };
}
