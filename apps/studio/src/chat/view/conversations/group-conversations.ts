import type { Conversation } from "throughline/dexie";
import { formatMonth } from "../../../copy/format.ts";
import { frameCopy } from "../../../copy/frame.ts";

/** Conversations of one stretch of time, under its name. */
export interface ConversationGroup {
  readonly label: string;
  readonly conversations: readonly Conversation[];
}

/** Conversations by the time of the last message, the latest first: days, then weeks, then months. */
export function groupConversations(conversations: readonly Conversation[], now: number): readonly ConversationGroup[] {
  const labelOf = labelsFor(new Date(now));
  const groups = new Map<string, Conversation[]>();
  for (const conversation of [...conversations].sort((a, b) => b.updatedAt - a.updatedAt)) {
    const label = labelOf(conversation.updatedAt);
    const group = groups.get(label);
    if (group === undefined) groups.set(label, [conversation]);
    else group.push(conversation);
  }
  return [...groups].map(([label, group]) => ({ label, conversations: group }));
}

const { days } = frameCopy;

/** Days begin at midnight where the person is, and weeks on Monday. */
function labelsFor(now: Date): (at: number) => string {
  const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
  const sinceMonday = (now.getDay() + 6) % 7;
  const starts: readonly (readonly [number, string])[] = [
    [daysAgo(0), days.today],
    [daysAgo(1), days.yesterday],
    [daysAgo(sinceMonday), days.thisWeek],
    [daysAgo(sinceMonday + 7), days.lastWeek],
    [new Date(now.getFullYear(), now.getMonth(), 1).getTime(), days.thisMonth],
  ];
  return (at) => starts.find(([start]) => at >= start)?.[1] ?? monthLabel(new Date(at), now.getFullYear());
}

function monthLabel(date: Date, thisYear: number): string {
  return formatMonth(date.getTime(), date.getFullYear() !== thisYear);
}
