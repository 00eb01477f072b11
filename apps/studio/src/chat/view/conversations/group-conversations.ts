import type { Conversation } from "throughline/dexie";

/** Conversations of one stretch of time, under its name. */
export interface ConversationGroup {
  readonly label: string;
  readonly conversations: readonly Conversation[];
}

const monthName = new Intl.DateTimeFormat("en", { month: "long" });

/** The conversations by when something was last said in them, the latest first: days, then weeks, then months. */
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

/** Days begin at midnight where the person is, and weeks on Monday. */
function labelsFor(now: Date): (at: number) => string {
  const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
  const sinceMonday = (now.getDay() + 6) % 7;
  const starts: readonly (readonly [number, string])[] = [
    [daysAgo(0), "Today"],
    [daysAgo(1), "Yesterday"],
    [daysAgo(sinceMonday), "Earlier this week"],
    [daysAgo(sinceMonday + 7), "Last week"],
    [new Date(now.getFullYear(), now.getMonth(), 1).getTime(), "Earlier this month"],
  ];
  return (at) => starts.find(([start]) => at >= start)?.[1] ?? monthLabel(new Date(at), now.getFullYear());
}

function monthLabel(date: Date, thisYear: number): string {
  const name = monthName.format(date);
  return date.getFullYear() === thisYear ? name : `${name} ${date.getFullYear()}`;
}
