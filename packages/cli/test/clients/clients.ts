import type { Client, Invocation, Place } from "./client.ts";

const KEY = "sk-scripted";
const CLAUDE = "claude-sonnet-4-5";

const json = (value: unknown) => JSON.stringify(value, null, 2);

const runClaude = ({ url, prompt }: Place): Invocation => ({
  program: "claude",
  args: ["-p", prompt, "--model", CLAUDE, "--dangerously-skip-permissions"],
  env: {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    IS_SANDBOX: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  },
});
/** Claude Code asks before it starts the servers of a project, unless the user has allowed them. */
const claudeTrust = { ".claude/settings.json": json({ enableAllProjectMcpServers: true }) };

const claudeCode: Client = {
  name: "claude-code",
  folder: "claude-code",
  packages: { "@anthropic-ai/claude-code": "2.1.325" },
  shortWindow: 90_000,
  invoke: runClaude,
  hooks: {
    args: ["claude-code"],
    file: ".claude/settings.json",
    before: '{ "model": "sonnet" }\n',
    compact: ["--continue", "-p", "/compact"],
  },
  mcp: () => ({ setup: ["claude-code", "--mcp"], files: claudeTrust }),
  remember: {
    agent: "claude-code",
    loads: "skill",
    invoke: (place) => ({ ...runClaude({ ...place, prompt: `/remember ${place.prompt}` }), files: claudeTrust }),
  },
  transcripts: /\.claude\/projects\/[^/]+\/[^/]+\.jsonl$/,
};

const runCodex = ({ url, prompt, repository }: Place): Invocation => ({
  program: "codex",
  args: [
    "exec",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
    "--skip-git-repo-check",
    "-C",
    repository,
    prompt,
  ],
  env: { SCRIPTED_KEY: KEY },
  files: { ".codex/config.toml": codexConfig(url) },
});

/** The files that `codex mcp add` writes, with a failure if the server does not start. */
const codexServer = ({ url }: Place, [command, ...args]: readonly string[]) => ({
  ".codex/config.toml": `${codexConfig(url)}\n[mcp_servers.throughline]\ncommand = ${json(command)}\nargs = ${JSON.stringify(args)}\nrequired = true\nstartup_timeout_sec = 60\n`,
});

const codex: Client = {
  name: "codex",
  folder: "codex",
  packages: { "@openai/codex": "0.166.0" },
  endsAt: ["busy"],
  shortWindow: 60_000,
  invoke: runCodex,
  hooks: { args: ["codex"], file: ".codex/hooks.json" },
  mcp: (place, server) => ({ files: codexServer(place, server) }),
  remember: {
    agent: "codex",
    loads: "skill",
    invoke: (place, server) => ({
      ...runCodex({ ...place, prompt: `$remember ${place.prompt}` }),
      files: codexServer(place, server),
    }),
  },
  transcripts: /\.codex\/sessions\/.*\.jsonl$/,
};

function codexConfig(url: string): string {
  return `model = "gpt-5"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
`;
}

/** OpenCode with one of its providers. */
function openCode(name: string, model: string, provider: (url: string) => object): Client {
  const config = ({ url }: Place) => ({
    ".config/opencode/opencode.json": json({ autoupdate: false, share: "disabled", provider: provider(url) }),
  });
  const run = (place: Place, ...flags: readonly string[]): Invocation => ({
    program: "opencode",
    args: ["run", "--auto", "--model", model, ...flags, place.prompt],
    env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
    files: config(place),
  });
  return {
    name: `opencode (${name})`,
    folder: "opencode",
    packages: { "opencode-ai": "1.18.33" },
    shortWindow: 90_000,
    invoke: (place) => run(place),
    remember: { agent: "opencode", loads: "skill", invoke: (place) => run(place, "--command", "remember") },
  };
}

const openCodes: Client[] = [
  {
    ...openCode("anthropic", `anthropic/${CLAUDE}`, (url) => ({
      anthropic: { options: { baseURL: `${url}/v1`, apiKey: KEY }, models: { [CLAUDE]: {} } },
    })),
    hooks: { args: ["opencode"], file: ".opencode/plugins/throughline.js" },
    mcp: () => ({ setup: ["opencode", "--mcp"] }),
    transcripts: /opencode\.db$/,
  },
  openCode("chat", "local/local-model", (url) => ({
    local: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${url}/v1`, apiKey: KEY },
      models: { "local-model": { tool_call: true } },
    },
  })),
];

const runGemini = ({ url, prompt }: Place): Invocation => ({
  program: "gemini",
  args: ["-p", prompt, "--yolo", "--skip-trust", "-m", "gemini-2.5-pro"],
  env: {
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: KEY,
    GEMINI_CLI_NO_RELAUNCH: "1",
    // The flag comes too late for the servers and hooks of a project.
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  },
  files: { ".gemini/settings.json": json(geminiSettings) },
});

const geminiCli: Client = {
  name: "gemini-cli",
  folder: "gemini-cli",
  packages: { "@google/gemini-cli": "0.61.0" },
  endsAt: ["cut"],
  shortWindow: 90_000,
  invoke: runGemini,
  mcp: (_, [command, ...args]) => ({
    files: {
      ".gemini/settings.json": json({ ...geminiSettings, mcpServers: { throughline: { command, args, trust: true } } }),
    },
  }),
  hooks: { args: ["gemini-cli"], file: ".gemini/settings.json" },
  remember: {
    agent: "gemini-cli",
    loads: "description",
    invoke: runGemini,
  },
  transcripts: /\.gemini\/tmp\/.*\/chats\/session-[^/]*\.jsonl?$/,
};

const geminiSettings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, disableUpdateNag: true },
};

function pi(name: string, api: string, model: string, path: string): Client {
  return {
    name: `pi (${name})`,
    folder: "pi",
    packages: { "@mariozechner/pi-coding-agent": "0.73.1" },
    shortWindow: 60_000,
    invoke: ({ url, prompt }) => ({
      program: "pi",
      args: ["-p", "--offline", "--provider", "scripted", "--model", model, prompt],
      env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
      files: {
        ".pi/agent/models.json": json({
          providers: {
            scripted: {
              baseUrl: `${url}${path}`,
              api,
              apiKey: KEY,
              models: [
                { id: model, contextWindow: 1_000_000, maxTokens: 8_000, reasoning: api === "openai-responses" },
              ],
            },
          },
        }),
      },
    }),
    ...(name === "chat" && { transcripts: /\.pi\/agent\/sessions\/.*\.jsonl$/ }),
  };
}

const cline: Client = {
  name: "cline",
  folder: "cline",
  packages: { cline: "3.0.65" },
  shortWindow: 90_000,
  invoke: ({ url, prompt, repository }) => ({
    program: "cline",
    args: ["--auto-approve", "true", "-P", "openai-compatible", "-c", repository, prompt],
    env: { CLINE_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
    files: {
      ".cline/data/settings/providers.json": json({
        version: 1,
        lastUsedProvider: "openai-compatible",
        modes: {},
        providers: {
          "openai-compatible": {
            settings: { provider: "openai-compatible", apiKey: KEY, model: "local-model", baseUrl: `${url}/v1` },
            updatedAt: "2026-01-01T00:00:00.000Z",
            tokenSource: "manual",
          },
        },
      }),
    },
  }),
  transcripts: /\.cline\/.*\.messages\.json$/,
};

const inspector: Client = {
  name: "mcp-inspector",
  folder: "mcp-inspector",
  packages: { "@modelcontextprotocol/inspector": "2.12.0" },
  shortWindow: 0,
  mcp: ({ repository }, server) => ({
    direct: {
      program: "mcp-inspector",
      args: [
        "--cli",
        ...server,
        "--cwd",
        repository,
        "--method",
        "tools/call",
        "--tool-name",
        "recall",
        "--tool-arg",
        "query=Which database holds the invoices?",
      ],
    },
  }),
};

/** An agent loop over an SDK, in a script beside this file. */
function sdk(name: string, packages: Client["packages"], script: string, kind: string): Client {
  return {
    name,
    folder: script,
    packages,
    shortWindow: 40_000,
    invoke: ({ url, prompt }): Invocation => ({
      program: `agents/${script}.mjs`,
      args: [kind, url, prompt],
      env: { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY, MASTRA_TELEMETRY_DISABLED: "1" },
    }),
  };
}

const openai = { openai: "7.53.0" };
const anthropic = { "@anthropic-ai/sdk": "1.8.0" };
const langchain = { "@langchain/openai": "1.6.0", "@langchain/anthropic": "1.5.11", "@langchain/core": "1.2.13" };
const aiSdk = { ai: "7.0.169", "@ai-sdk/openai": "4.0.114", "@ai-sdk/anthropic": "4.0.102" };
const mastra = { "@mastra/core": "1.71.0", "@ai-sdk/openai": "4.0.114", zod: "4.6.7" };

export const CLIENTS: readonly Client[] = [
  sdk("openai (chat)", openai, "openai", "chat"),
  sdk("openai (responses)", openai, "openai", "responses"),
  sdk("openai (previous id)", openai, "openai", "previous"),
  sdk("anthropic sdk", anthropic, "anthropic", "messages"),
  sdk("langchain (chat)", langchain, "langchain", "chat"),
  sdk("langchain (responses)", langchain, "langchain", "responses"),
  sdk("langchain (anthropic)", langchain, "langchain", "anthropic"),
  sdk("ai sdk (chat)", aiSdk, "ai-sdk", "chat"),
  sdk("ai sdk (responses)", aiSdk, "ai-sdk", "responses"),
  sdk("ai sdk (anthropic)", aiSdk, "ai-sdk", "anthropic"),
  { ...sdk("mastra", mastra, "mastra", "chat"), endsAt: ["busy", "cut"] },
  claudeCode,
  codex,
  ...openCodes,
  geminiCli,
  pi("chat", "openai-completions", "local-model", "/v1"),
  pi("responses", "openai-responses", "gpt-5", "/v1"),
  pi("anthropic", "anthropic-messages", CLAUDE, ""),
  cline,
  inspector,
];
