import { CHECKED_LATER, checkOptions } from "../../errors/check-options.ts";
import { UnknownProviderError } from "../../errors/input-errors.ts";
import { findCacheMarks, limitCacheMarks, MAX_CACHE_MARKS } from "../cache-marks.ts";
import { convertRichToModel, type ForeignModelMessage } from "../convert/ai-sdk.ts";
import {
  isAllowedIn,
  isSameTurn,
  isSubstance,
  PORTABLE_TOOL_CALL_ID,
  PROVIDER_RULES,
  PROVIDERS,
  type Provider,
} from "../legality-rules.ts";
import { freeIds, type Message } from "../message.ts";
import type { FilePart, Part, ToolApprovalRequestPart, ToolCallPart, ToolResultPart } from "../part.ts";
import { toRichWindow } from "../to-rich-window.ts";
import { isPlainWindow } from "./is-plain-window.ts";
import { planToolPairs, repairCallContents, type ToolPairPlan } from "./plan-tool-pairs.ts";
import {
  besideMessage,
  fileName,
  partForRole,
  type Repair,
  type RepairDeps,
  type RepairedWindow,
  type RepairStep,
  syntheticText,
  withChangedParts,
  withParts,
} from "./repair.ts";

const STEPS: readonly RepairStep[] = [
  repairCallIds,
  fixMisplacedParts,
  repairCallContents,
  repairToolPairs,
  dropEmpty,
  mergeTurns,
  beginWithUser,
  dropCacheMarks,
];

/** Options of `repairWindow`. */
export interface RepairOptions {
  /** Provider that the window is for. With `openai`, system messages after the start stay. Default: all providers. */
  readonly provider?: Provider | undefined;
}

/**
 * Makes a window legal for every provider and lists the changes. Intended for foreign transcripts, which may contain
 * calls without results and results without calls. Content without a legal position is kept as text, so nothing is
 * lost. A legal window is returned unchanged.
 *
 * @param messages Throughline messages, AI SDK messages, or a mix of both.
 * @param options Provider that the window is for, if it is known.
 * @returns Throughline messages and the list of repairs.
 * @throws InvalidOptionError for unknown options.
 * @throws UnknownProviderError if the provider is none of these.
 *
 * @example
 * const { messages: legal, repairs } = repairWindow(messages);
 * for (const { code, text } of repairs) console.log(code, text);
 */
export function repairWindow(
  messages: readonly (Message | ForeignModelMessage)[],
  options: RepairOptions = {},
): RepairedWindow {
  checkOptions("repairWindow", options, { provider: CHECKED_LATER });
  const { provider } = options;
  if (provider !== undefined && !PROVIDERS.includes(provider)) throw new UnknownProviderError(provider, PROVIDERS);
  const window = toRichWindow(messages);
  return isPlainWindow(window) ? { messages: window, repairs: [] } : runSteps(window, provider);
}

/** Runs all steps of the repair. */
export function runSteps(window: readonly Message[], provider?: Provider): RepairedWindow {
  const repairs: Repair[] = [];
  const deps: RepairDeps = {
    report: (repair) => repairs.push(repair),
    freeId: freeIds(window.map(({ id }) => id)),
    isSystemAnywhere: provider !== undefined && !PROVIDER_RULES[provider].systemOnlyFirst,
  };
  const repaired = STEPS.reduce((list, step) => step(list, deps), window);
  return { messages: repaired, repairs };
}

/** Renames call ids that are duplicated or that some provider refuses, together with their references. */
function repairCallIds(messages: readonly Message[], { report }: RepairDeps): readonly Message[] {
  const used = new Set<string>();
  // Original id → current id. A later call with the same id takes over.
  const current = new Map<string, string>();
  // Ids that occur anywhere are never assigned again, so an orphaned result cannot match a new call.
  const freeId = freeIds(mentionedIds(messages));
  const idOf = ({ toolCallId }: ToolCallPart): string => {
    const id =
      PORTABLE_TOOL_CALL_ID.test(toolCallId) && !used.has(toolCallId) ? toolCallId : freeId(stemOf(toolCallId));
    current.set(toolCallId, id);
    used.add(id);
    return id;
  };
  return messages.map((message) => {
    const parts = message.parts.map((part): Part => {
      if (!namesCall(part)) return part;
      const id = part.type === "tool-call" ? idOf(part) : (current.get(part.toolCallId) ?? part.toolCallId);
      if (id === part.toolCallId) return part;
      if (part.type === "tool-call") {
        const text = `renamed call "${part.toolCallId}" to "${id}"`;
        report({ code: "renamed-call-id", messageId: message.id, text });
      }
      return { ...part, toolCallId: id };
    });
    return withChangedParts(message, parts);
  });
}

function namesCall(part: Part): part is ToolCallPart | ToolResultPart | ToolApprovalRequestPart {
  return part.type === "tool-call" || part.type === "tool-result" || part.type === "tool-approval-request";
}

function mentionedIds(messages: readonly Message[]): string[] {
  return messages.flatMap(({ parts }) => parts.filter(namesCall).map((part) => part.toolCallId));
}

/** Leaves space for a number within OpenAI's limit of 40 characters. */
function stemOf(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 30) || "call";
}

/** Fixes system messages after the start, and parts in a message of the wrong role. */
function fixMisplacedParts(messages: readonly Message[], deps: RepairDeps): readonly Message[] {
  const { report, freeId, isSystemAnywhere } = deps;
  const start = isSystemAnywhere ? -1 : messages.findIndex((message) => message.role !== "system");
  return messages.flatMap((message, m) => {
    const { id, role, parts } = message;
    if (role === "system" && start >= 0 && m > start) {
      const text = "turned a system message after the start into a user message";
      report({ code: "kept-as-text", messageId: id, text });
      const allowed = parts.map((part) => partForRole("user", part));
      return [{ ...withParts(message, allowed), role: "user" as const }];
    }
    if (parts.every((part) => isAllowedIn(role, part))) return [message];
    const text = `rewrote parts that a ${role} message cannot hold as text`;
    report({ code: "moved-part", messageId: id, text });
    if (role !== "tool") {
      const allowed = parts.map((part) => partForRole(role, part));
      return [withParts(message, allowed)];
    }
    const kept = parts.filter((part) => isAllowedIn(role, part));
    const allowed = parts.filter((part) => !isAllowedIn(role, part)).map((part) => partForRole("user", part));
    return [
      ...(kept.length === 0 ? [] : [withParts(message, kept)]),
      besideMessage(message, freeId(`${id}~told`), "user", allowed),
    ];
  });
}

/** Puts each result directly after its call, adds missing results, and keeps orphaned results as text. */
function repairToolPairs(messages: readonly Message[], deps: RepairDeps): readonly Message[] {
  const plan = planToolPairs(messages, deps.report);
  if (plan.isEmpty) return messages;
  // Text added at the end makes a pending approval a past one, and its call then needs a result.
  return repairToolPairs(applyPlan(plan, messages, deps), deps);
}

function applyPlan(plan: ToolPairPlan, messages: readonly Message[], { freeId }: RepairDeps): readonly Message[] {
  const repaired: Message[] = [];
  let texts: Part[] = [];
  const addTexts = (before: Message | undefined) => {
    if (texts.length === 0 || before === undefined) return;
    repaired.push(besideMessage(before, freeId(`${before.id}~told`), "user", texts));
    texts = [];
  };
  messages.forEach((message, m) => {
    // Text between a call and its results would separate them, so it is added after the results.
    if (message.role !== "tool") addTexts(repaired.at(-1));
    const parts = message.parts.flatMap((part, p) => plan.changeAt(m, p)?.instead ?? [part]);
    if (parts.length > 0 || message.parts.length === 0) repaired.push(withChangedParts(message, parts));
    message.parts.forEach((_, p) => {
      const change = plan.changeAt(m, p);
      if (change?.asText !== undefined) texts.push(change.asText);
    });
    const arriving = plan.arrivingAt(m);
    if (arriving.length > 0) repaired.push(besideMessage(message, freeId(`${message.id}~results`), "tool", arriving));
  });
  addTexts(repaired.at(-1) ?? messages.at(-1));
  return repaired;
}

/** Drops blank texts, messages without content, and reasoning that nothing follows. */
function dropEmpty(messages: readonly Message[], { report }: RepairDeps): readonly Message[] {
  const kept: Message[] = [];
  const repairs: Repair[] = [];
  // Backwards, because reasoning stays if the message after it stays.
  for (const message of messages.toReversed()) {
    const { kept: left, repair } = dropFrom(message, kept.at(-1));
    if (left !== undefined) kept.push(left);
    if (repair !== undefined) repairs.push(repair);
  }
  repairs.toReversed().forEach(report);
  return kept.toReversed();
}

interface Dropped {
  readonly kept?: Message;
  readonly repair?: Repair;
}

function dropFrom(message: Message, next: Message | undefined): Dropped {
  const { id: messageId } = message;
  const parts = message.parts.filter((part) => part.type !== "text" || part.text.trim() !== "");
  const reasons = message.role === "assistant" && parts.some((part) => part.type === "reasoning");
  if (!parts.some((part) => isSent(message, part))) {
    const files = parts.filter((part) => part.type === "file");
    if (files.length > 0) return nameFiles(message, parts, files);
    const leads = reasons && next?.role === "assistant";
    const what = reasons ? "reasoning without anything after it" : "an empty message";
    const code = reasons ? "dropped-reasoning" : "dropped-empty";
    if (!leads) return { repair: { code, messageId, text: `dropped ${what}` } };
  }
  if (parts.length === message.parts.length) return { kept: message };
  const text = "dropped a blank text";
  return { kept: withParts(message, parts), repair: { code: "dropped-empty", messageId, text } };
}

/** Replaces files that only another provider holds with their names, so that the message keeps content. */
function nameFiles(message: Message, parts: readonly Part[], files: readonly FilePart[]): Dropped {
  const text = "replaced files that only another provider holds with their names";
  return {
    kept: withParts(message, [...parts, ...files.map((file) => fileName({ ...file, id: `${file.id}~name` }))]),
    repair: { code: "kept-as-text", messageId: message.id, text },
  };
}

/**
 * True if the part reaches the AI SDK with content. The AI SDK converter decides about opaque parts and uploaded files.
 */
function isSent(message: Message, part: Part): boolean {
  const isUploaded = part.type === "file" && part.data.type === "reference";
  if (part.type !== "opaque" && !isUploaded) return isSubstance(part, []);
  return convertRichToModel([withParts(message, [part])]).length > 0;
}

/** Joins consecutive messages of the same role. */
function mergeTurns(messages: readonly Message[], { report }: RepairDeps): readonly Message[] {
  const turns: { readonly first: Message; readonly all: Message[] }[] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (turn === undefined || !isSameTurn(turn.first, message)) {
      turns.push({ first: message, all: [message] });
      continue;
    }
    const { role, id } = turn.first;
    report({ code: "merged", messageId: message.id, text: `merged into the preceding ${role} message ${id}` });
    turn.all.push(message);
  }
  return turns.map(({ first, all }) => {
    if (all.length === 1) return first;
    const parts = all.flatMap((message) => message.parts);
    // The provenance decides which parts a converter accepts, and reasoning may come before the content.
    const { provenance } = all.find(hasContent) ?? first;
    return { ...withParts(first, parts), ...(provenance === undefined ? {} : { provenance }) };
  });
}

function hasContent({ parts }: Message): boolean {
  return parts.some((part) => isSubstance(part, []));
}

/** Source of session id and time for an opening in an empty list. */
const NOTHING: Message = { id: "", sessionId: "", role: "user", parts: [], createdAt: 0 };

/** Inserts a user message at the start if another role speaks first or if there are no messages. */
function beginWithUser(messages: readonly Message[], { report, freeId }: RepairDeps): readonly Message[] {
  const start = messages.findIndex((message) => message.role !== "system");
  const first = messages[start];
  if (first?.role === "user") return messages;
  const beside = first ?? messages.at(-1) ?? NOTHING;
  const id = freeId(`${beside.id}~opening`);
  const text = first === undefined ? "added an opening user message" : "inserted an opening user message before it";
  report({ code: "added-opening", messageId: first?.id ?? id, text });
  const parts = [syntheticText(`${id}.0`, "(The conversation begins here.)")];
  const opening = besideMessage(beside, id, "user", parts);
  return messages.toSpliced(first === undefined ? messages.length : start, 0, opening);
}

/** Keeps at most as many cache marks as a provider accepts: clients mark new messages without unmarking old ones. */
function dropCacheMarks(messages: readonly Message[], { report }: RepairDeps): readonly Message[] {
  const limited = limitCacheMarks(messages);
  if (limited === messages) return messages;
  const dropped = findCacheMarks(messages).length - MAX_CACHE_MARKS;
  const text = `dropped ${dropped} cache ${dropped === 1 ? "mark" : "marks"} beyond ${MAX_CACHE_MARKS}`;
  report({ code: "dropped-cache-marks", messageId: messages[0]?.id ?? "", text });
  return limited;
}
