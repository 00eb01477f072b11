import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "./log.mjs";
import { ownFolder } from "./paths.mjs";

const maxLockAge = 30 * 60_000;
const timeToWritePid = 5_000;

/**
 * Runs the work while no other process of this repository runs work with that name. The lock of a dead process is taken
 * over.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {string} [folder]
 * @returns {Promise<T>}
 */
export async function withLock(name, work, folder = ownFolder) {
  const lock = join(folder, `${name}.lock`);
  mkdirSync(folder, { recursive: true });
  for (let waited = false; !take(lock); ) {
    const holder = holderOf(lock);
    if (holder === "dead") remove(lock);
    else {
      if (!waited && typeof holder === "number")
        log(`Waiting for process ${holder}, which is running the same step (${name}) …`);
      waited = true;
      await sleep(200);
    }
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.on("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

/** @param {string} lock */
function take(lock) {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(lock, "pid"), String(process.pid));
  return true;
}

/**
 * @param {string} lock
 * @returns {number | "dead" | "unknown"}
 */
function holderOf(lock) {
  try {
    const age = Date.now() - statSync(lock).mtimeMs;
    const pid = readPid(lock);
    if (pid === undefined) return age > timeToWritePid ? "dead" : "unknown";
    // After a reboot, the process id may belong to another program.
    return isAlive(pid) && age < maxLockAge ? pid : "dead";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "unknown";
    throw error;
  }
}

/** @param {string} lock */
function readPid(lock) {
  try {
    return Number(readFileSync(join(lock, "pid"), "utf8")) || undefined;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/**
 * Renames first, so that of two processes that find the same dead lock only one removes it, and neither removes a new
 * one.
 *
 * @param {string} lock
 */
function remove(lock) {
  const aside = `${lock}-${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
