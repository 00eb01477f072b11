import { countAll, firstDuplicate, isJson, type Json, listOf, type Provider, type Refusal, sign } from "./provider.ts";

interface Turn {
  readonly role: string;
  readonly blocks: readonly Json[];
  /** Position in the request, for error messages. */
  readonly index: number;
}

const MAX_CACHE_MARKS = 4;
const THINKING = ["thinking", "redacted_thinking"];

/** Checks a body of `POST /v1/messages` as Anthropic does. */
export function refuseMessages(body: Json, provider: Provider): Refusal | undefined {
  const message =
    checkShape(body) ??
    checkCacheMarks(body) ??
    checkTurns(turnsOf(body, provider), provider) ??
    checkThinking(turnsOf(body, provider), body);
  if (message !== undefined) return refusal(message, false);
  const tooLong = checkLength(body, provider);
  return tooLong === undefined ? undefined : refusal(tooLong, true);
}

function refusal(message: string, isOverflow: boolean): Refusal {
  const body = { type: "error", error: { type: "invalid_request_error", message }, request_id: "req_scripted" };
  return { status: 400, body, message, isOverflow };
}

/** Tokens of all content that the model reads. */
export function countMessages({ system, messages, tools }: Json, provider: Provider): number {
  return countAll([system, messages, tools], provider);
}

function checkLength(body: Json, provider: Provider): string | undefined {
  const { limit, countsReply = true } = provider;
  const input = countMessages(body, provider);
  if (input > limit) return `prompt is too long: ${input} tokens > ${limit} maximum`;
  const reply = Number(body.max_tokens);
  if (!countsReply || input + reply <= limit) return undefined;
  const sum = `${input} + ${reply} > ${limit}`;
  return `input length and \`max_tokens\` exceed context limit: ${sum}, decrease input length or \`max_tokens\` and try again`;
}

const blocksOf = (content: unknown): readonly Json[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);

/** The messages; neighbors of one role are combined, unless the provider refuses them. */
function turnsOf({ messages }: Json, { rolesMustAlternate = true }: Provider): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [index, { role, content }] of listOf(messages).entries()) {
    const last = turns.at(-1);
    const blocks = blocksOf(content);
    if (!rolesMustAlternate && last !== undefined && last.role === role)
      turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] };
    else turns.push({ role: String(role), blocks, index });
  }
  return turns;
}

function checkShape({ max_tokens: reply, messages, thinking }: Json): string | undefined {
  if (typeof reply !== "number") return "max_tokens: Field required";
  if (reply < 1) return "max_tokens: must be greater than or equal to 1";
  if (!Array.isArray(messages)) return "messages: Field required";
  if (messages.length === 0) return "messages: at least one message is required";
  const budget = isJson(thinking) ? thinking.budget_tokens : undefined;
  if (typeof budget === "number" && reply <= budget) {
    return "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size";
  }
  for (const [index, { role, content }] of listOf(messages).entries()) {
    if (role === "system")
      return 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
    if (role !== "user" && role !== "assistant")
      return `messages: Unexpected role "${role}". Allowed roles are "user" or "assistant"`;
    if (typeof content !== "string" && !Array.isArray(content)) return `messages.${index}.content: Field required`;
  }
  return undefined;
}

/** Every cache mark of a request, in the order in which the provider reads them. */
export function cacheMarksOf({ tools, system, messages }: Json): readonly Json[] {
  const nested = (blocks: readonly Json[]): readonly Json[] =>
    blocks.flatMap((block) => [...nested(listOf(block.content)), block]);
  const read = [
    ...listOf(tools),
    ...listOf(system),
    ...listOf(messages).flatMap(({ content }) => nested(listOf(content))),
  ];
  return read.flatMap((block) => (isJson(block.cache_control) ? [block] : []));
}

function checkCacheMarks(body: Json): string | undefined {
  const marks = cacheMarksOf(body);
  if (marks.length > MAX_CACHE_MARKS)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`;
  const unmarkable = marks.find(({ type }) => THINKING.includes(String(type)));
  if (unmarkable) return `messages.content.${unmarkable.type}.cache_control: Extra inputs are not permitted`;
  if (marks.some(({ type, text }) => type === "text" && text === ""))
    return "messages: cache_control cannot be set for empty text blocks";
  const lives = marks.map(({ cache_control: mark }) => (isJson(mark) && mark.ttl === "1h" ? "1h" : "5m"));
  if (!lives.some((life, index) => life === "1h" && lives[index - 1] === "5m")) return undefined;
  return "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.";
}

function checkTurns(turns: readonly Turn[], { rolesMustAlternate = true }: Provider): string | undefined {
  if (turns[0]?.role !== "user") return 'messages: first message must use the "user" role';
  for (const [position, turn] of turns.entries()) {
    const before = turns[position - 1];
    if (rolesMustAlternate && before?.role === turn.role)
      return `messages: roles must alternate between "user" and "assistant", but found multiple "${turn.role}" roles in a row`;
    const wrong =
      checkBlocks(turn, turn === turns.at(-1)) ?? checkResults(turn, before) ?? checkCalls(turn, turns[position + 1]);
    if (wrong !== undefined) return wrong;
  }
  const ids = turns.flatMap(({ blocks }) => idsOf(blocks, "tool_use"));
  return firstDuplicate(ids) === undefined ? undefined : "messages: `tool_use` ids must be unique";
}

function checkBlocks({ role, blocks, index }: Turn, isLast: boolean): string | undefined {
  if (blocks.length === 0 && !(isLast && role === "assistant"))
    return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
  for (const [at, block] of blocks.entries()) {
    const wrong = checkBlock(block, role);
    if (wrong !== undefined) return wrong.startsWith("messages:") ? wrong : `messages.${index}.content.${at}${wrong}`;
  }
  const last = blocks.at(-1);
  const isPrefill = isLast && role === "assistant" && last?.type === "text";
  return isPrefill && String(last.text) !== String(last.text).trimEnd()
    ? "messages: final assistant content cannot end with trailing whitespace"
    : undefined;
}

/** The error of one block, with its position or for the whole message. */
function checkBlock({ type, text, id, input }: Json, role: string): string | undefined {
  if (type === "text" && text === "") return "messages: text content blocks must be non-empty";
  if (type === "text" && String(text).trim() === "")
    return "messages: text content blocks must contain non-whitespace text";
  if (type === "tool_use" && role === "user") return ": `tool_use` blocks can only be in `assistant` messages";
  if (type === "tool_result" && role === "assistant") return ": `tool_result` blocks can only be in `user` messages";
  if (type !== "tool_use") return undefined;
  if (!/^[a-zA-Z0-9_-]+$/.test(String(id))) return ".tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
  return isJson(input) ? undefined : ".tool_use.input: Input should be a valid dictionary";
}

const idsOf = (blocks: readonly Json[], type: "tool_use" | "tool_result"): string[] =>
  blocks.flatMap((block) => (block.type === type ? [String(type === "tool_use" ? block.id : block.tool_use_id)] : []));

function checkCalls({ blocks, index }: Turn, next: Turn | undefined): string | undefined {
  // A result after user text is not matched to its call.
  const until = next?.blocks.findIndex(({ type }) => type !== "tool_result") ?? -1;
  const results = idsOf(until < 0 ? (next?.blocks ?? []) : (next?.blocks.slice(0, until) ?? []), "tool_result");
  const open = idsOf(blocks, "tool_use").filter((id) => !results.includes(id));
  if (open.length === 0) return undefined;
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function checkResults({ blocks, index }: Turn, before: Turn | undefined): string | undefined {
  const results = idsOf(blocks, "tool_result");
  const calls = idsOf(before?.blocks ?? [], "tool_use");
  const orphan = results.find((id) => !calls.includes(id));
  if (orphan !== undefined) {
    const at = blocks.findIndex(({ tool_use_id: id }) => id === orphan);
    return `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
  }
  const twice = firstDuplicate(results);
  if (twice === undefined) return undefined;
  return `messages.${index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`;
}

export const thinkingSignature = (thinking: string): string => sign(`thinking:${thinking}`);

function checkThinking(turns: readonly Turn[], { thinking }: Json): string | undefined {
  for (const { blocks, index } of turns) {
    const wrong = blocks.findIndex(({ type, ...block }) => type === "thinking" && !isOwnThinking(block));
    if (wrong >= 0) return `messages.${index}.content.${wrong}: Invalid \`signature\` in \`thinking\` block`;
    const first = String(blocks[0]?.type);
    if (blocks.some(({ type }) => THINKING.includes(String(type))) && !THINKING.includes(first))
      return `messages.${index}.content.0: If an assistant message contains any thinking blocks, the first block must be \`thinking\` or \`redacted_thinking\`. Found \`${first}\`.`;
  }
  return isJson(thinking) && thinking.type === "enabled" ? checkCurrentTurn(turns) : undefined;
}

const isOwnThinking = ({ thinking, signature }: Json): boolean => signature === thinkingSignature(String(thinking));

/** While tools are in use, the reply that began the turn must still begin with its thinking. */
function checkCurrentTurn(turns: readonly Turn[]): string | undefined {
  const asked = turns.findLastIndex(
    ({ role, blocks }) => role === "user" && !blocks.some(({ type }) => type === "tool_result"),
  );
  const opening = turns[asked + 1];
  const found = opening?.blocks[0]?.type;
  const usesTools = opening?.blocks.some(({ type }) => type === "tool_use") === true;
  if (!usesTools || THINKING.includes(String(found))) return undefined;
  return `messages.${opening?.index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`;
}
