/** Raise it when the text below changes: older files are replaced. */
const VERSION = 4;
const MARK = "// Throughline for OpenCode, version ";

/** True if Throughline wrote the file, in any version. */
export function isOurPlugin(text: string): boolean {
  return text.startsWith(MARK);
}

const BODY = `// Written by \`throughline init opencode\`; \`throughline uninstall opencode\` removes it. Changes are overwritten.
//
// Gives OpenCode the memories of this folder when a session begins, and the record of the session before a compaction;
// saves memories from your messages. If something fails here, OpenCode continues without it.
import { spawn } from "node:child_process";

const PROGRAM = [];
/** Milliseconds after which a command is given up. */
const TIMEOUT_MS = { "session-start": 12_000, "pre-compact": 22_000, "session-end": 52_000 };

/** Output of \`throughline hook\`; "" if it fails or takes too long. */
async function ask(event, input) {
  try {
    return await call(event, input);
  } catch {
    return "";
  }
}

function call(event, input) {
  return new Promise((resolve) => {
    let said = "";
    const [command, ...args] = [...PROGRAM, "hook", event, "--agent", "opencode"];
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const timer = setTimeout(() => child.kill(), TIMEOUT_MS[event]);
    const end = (text) => {
      clearTimeout(timer);
      resolve(text);
    };
    child.on("error", () => end(""));
    child.on("close", (code) => end(code === 0 ? said.trim() : ""));
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    child.stdin.end(JSON.stringify(input));
  });
}

/** The memories, requested once per session, so that the prompt stays the same. */
function memories(directory) {
  const known = new Map();
  return (sessionID) => {
    const id = sessionID ?? "";
    if (!known.has(id)) known.set(id, ask("session-start", { session_id: id, cwd: directory, source: "startup" }));
    return known.get(id);
  };
}

/** The user's messages, and the memories that the model saved itself, which are not saved again. */
function saidOrSaved({ info, parts }) {
  const sent = info.role === "user" ? parts : parts.filter(({ type, tool }) => type === "tool" && /remember$/.test(tool));
  return sent.length === 0 ? [] : [{ info, parts: sent }];
}

/** OpenCode 1. */
async function server({ client, directory }) {
  const remembered = memories(directory);
  const transcriptOf = async (id, select = (message) => [message]) => {
    const { data } = await client.session.messages({ path: { id } });
    return { info: { id, directory }, messages: (data ?? []).flatMap(select) };
  };
  return {
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const text = await remembered(sessionID);
      if (text !== "") output.system.push(text);
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      try {
        const transcript = await transcriptOf(sessionID);
        const text = await ask("pre-compact", { session_id: sessionID, cwd: directory, transcript });
        if (text !== "") output.context.push(text);
      } catch {
        // The compaction goes on without the record.
      }
    },
    event: async ({ event }) => {
      if (event.type !== "session.idle") return;
      try {
        const id = event.properties.sessionID;
        const session = await client.session.get({ path: { id } });
        // Messages to a sub-agent are not from a person.
        if (session.data?.parentID) return;
        const transcript = await transcriptOf(id, saidOrSaved);
        await ask("session-end", { session_id: id, cwd: directory, transcript });
      } catch {
        // The next time it is idle, all of it comes again.
      }
    },
  };
}

/** A message of OpenCode 2 as the AI SDK writes it. */
function toModelMessage({ role, content }) {
  const parts = content.flatMap((part) => {
    if (part.type === "text" || part.type === "reasoning") return [{ type: part.type, text: part.text }];
    const call = { toolCallId: part.id, toolName: part.name };
    if (part.type === "tool-call") return [{ type: part.type, ...call, input: part.input }];
    if (part.type !== "tool-result") return [];
    const type = { text: "text", error: "error-text" }[part.result.type] ?? "json";
    const { value } = part.result;
    const output = { type, value: type === "json" || typeof value === "string" ? value : JSON.stringify(value) };
    return [{ type: part.type, ...call, output }];
  });
  return { role, content: parts };
}

/** OpenCode 2. */
async function setup(ctx) {
  const directory = ctx.location?.directory ?? process.cwd();
  const remembered = memories(directory);
  await ctx.session.hook("context", async (event) => {
    if (event.kind !== undefined && event.kind !== "primary") return;
    const text = await remembered(event.sessionID);
    if (text !== "") event.system.push({ type: "text", text });
  });
  await ctx.session.hook("compaction", async (event) => {
    try {
      const transcript = event.messages.map(toModelMessage).filter(({ content }) => content.length > 0);
      const text = await ask("pre-compact", { session_id: event.sessionID, cwd: directory, transcript });
      if (text !== "") event.system.push({ type: "text", text });
    } catch {
      // The compaction goes on without the record.
    }
  });
  await ctx.session.hook("prompt", ({ sessionID, messageID, prompt }) => {
    if (typeof prompt?.text !== "string") return;
    const said = { info: { id: messageID, sessionID, role: "user" }, parts: [{ type: "text", text: prompt.text }] };
    // opencode does not wait for this.
    void ask("session-end", { session_id: sessionID, cwd: directory, transcript: { info: { id: sessionID }, messages: [said] } });
  });
}

export default { id: "throughline", server, setup };
`;

/**
 * The plugin: a file that OpenCode loads automatically. It only calls the command line, so that it need not change with
 * it. OpenCode 1 (1.18 and later) uses `server`, OpenCode 2 uses `setup`.
 *
 * @param program the command line as a list: a program and its first arguments
 */
export function opencodePlugin(program: readonly string[]): string {
  const called = BODY.replace("const PROGRAM = [];", () => `const PROGRAM = ${JSON.stringify(program)};`);
  return `${MARK}${VERSION}.\n${called}`;
}
