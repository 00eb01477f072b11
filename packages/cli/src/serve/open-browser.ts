import { spawn } from "node:child_process";
import process from "node:process";

const OPENERS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ["open"],
  // `start` takes what comes first for a title.
  win32: ["cmd", "/c", "start", ""],
};

/** Shows an address in the browser, where there is one; where there is none it says so, and nothing else changes. */
export function openBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const say = () => process.stderr.write("No browser could be opened; open the address yourself.\n");
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", say);
  child.on("exit", (code) => {
    if (code !== 0) say();
  });
  child.unref();
}
