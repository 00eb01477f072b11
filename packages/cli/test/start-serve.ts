import { once } from "node:events";
import { createInterface } from "node:readline";
import { ask } from "../../server/test/request.ts";
import { endOf, startCli } from "./run-cli.ts";

/** An environment without a model. */
export const NO_MODEL = {
  THROUGHLINE_MODEL_URL: "",
  THROUGHLINE_MODEL_KEY: "",
  THROUGHLINE_MODEL: "",
  THROUGHLINE_ANTHROPIC_URL: "",
  THROUGHLINE_ANTHROPIC_KEY: "",
  THROUGHLINE_GEMINI_URL: "",
  THROUGHLINE_GEMINI_KEY: "",
};

/** Starts the server as a user would, and waits until it prints its address. */
export async function startServe(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = startCli(args, { env: { ...NO_MODEL, ...env } });
  const end = endOf(child);
  let complaints = "";
  child.stderr.on("data", (text: string) => {
    complaints += text;
  });
  const ended = end.then(({ stderr }) => {
    throw new Error(`It did not start: ${stderr}`);
  });
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  const [url = ""] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return end;
  };
  return { child, url, end, stop, said: () => complaints };
}

/** Waits until the port is closed. */
export async function refused(url: string): Promise<void> {
  for (;;) {
    const code = await ask(url, "/healthz").then(
      () => "answered",
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (code === "ECONNREFUSED") return;
  }
}
