import { type FormEvent, useMemo, useState } from "react";
import { openRoute, routeHref } from "../app/route.ts";
import { formatNumber } from "../copy/format.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/controls/button.tsx";
import { Disclosure } from "../ui/controls/disclosure.tsx";
import { Select } from "../ui/controls/select.tsx";
import styles from "./context-page.module.css";
import { projectName } from "./memory/format-age.ts";
import {
  type AssembledContext,
  assembleContext,
  type ContextItem,
  type ContextMiss,
  type MemoryFacets,
  type Tier,
  useRequest,
} from "./memory/memory-api.ts";
import { Skeleton, StateLine } from "./memory/memory-text.tsx";
import pageStyles from "./page.module.css";

const TIERS = [
  ["critical", "tier1"],
  ["relevant", "tier2"],
  ["background", "tier3"],
  ["index", "tier4"],
] as const satisfies readonly (readonly [Tier, keyof AssembledContext["tiers"]])[];
const ACTIVITIES = ["default", "new-feature", "debugging"] as const;
const FIELDS = ["file", "error", "branch", "message"] as const;
const DEFAULT_BUDGET = "8000";
/** Value for memories outside of projects. */
const PERSONAL = "";

interface ContextPageProps {
  /** Signals of the address, as a query: `file=src/a.ts&activity=debugging`. */
  readonly search: string;
  readonly facets: MemoryFacets | undefined;
}

/** The context that an agent would get in a situation. */
export function ContextPage({ search, facets }: ContextPageProps) {
  const given = useMemo(() => new URLSearchParams(search), [search]);
  const projects = useMemo(() => facets?.projects.flatMap(({ id }) => id ?? []) ?? [], [facets]);
  if (facets === undefined) {
    return (
      <div className={pageStyles.page}>
        <div className={pageStyles.column}>
          <Skeleton />
        </div>
      </div>
    );
  }
  return (
    <div className={pageStyles.page}>
      <div className={pageStyles.column}>
        <h2 className={styles.title}>{copy.context.title}</h2>
        <p className={pageStyles.soft}>{copy.context.words}</p>
        <SignalForm key={search} given={given} projects={projects} />
        <Assembled given={given} project={given.get("project") ?? projects[0] ?? PERSONAL} />
      </div>
    </div>
  );
}

function SignalForm({ given, projects }: { readonly given: URLSearchParams; readonly projects: readonly string[] }) {
  const [project, setProject] = useState(given.get("project") ?? projects[0] ?? PERSONAL);
  const [activity, setActivity] = useState(given.get("activity") ?? "default");
  const words = copy.context;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const next = new URLSearchParams({ project, activity });
    for (const field of [...FIELDS, "budget"]) {
      const value = String(data.get(field) ?? "").trim();
      if (value !== "" && !(field === "budget" && value === DEFAULT_BUDGET)) next.set(field, value);
    }
    openRoute("memories", "context", next.toString());
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <div>
        <span>{words.project}</span>
        <Select
          label={words.project}
          value={project}
          options={[
            ...projects.map((id) => ({ value: id, label: projectName(id) })),
            { value: PERSONAL, label: copy.filters.noProject },
          ]}
          onChange={setProject}
        />
      </div>
      <div>
        <span>{words.activity}</span>
        <Select
          label={words.activity}
          value={activity}
          options={ACTIVITIES.map((value) => ({ value: value as string, label: words.activities[value] }))}
          onChange={setActivity}
        />
      </div>
      {FIELDS.map((field) => (
        <label key={field}>
          <span>{words[field]}</span>
          <input className={pageStyles.field} name={field} dir="auto" defaultValue={given.get(field) ?? ""} />
        </label>
      ))}
      <label>
        <span>{words.budget}</span>
        <input
          className={pageStyles.field}
          name="budget"
          type="number"
          min={100}
          max={1_000_000}
          defaultValue={given.get("budget") ?? DEFAULT_BUDGET}
        />
      </label>
      <Button kind="primary" type="submit">
        {words.show}
      </Button>
    </form>
  );
}

function toBody(given: URLSearchParams): NonNullable<Parameters<typeof assembleContext>[1]> {
  const [file, error, branch, message] = FIELDS.map((field) => given.get(field) ?? undefined);
  return {
    budget: Number(given.get("budget") ?? DEFAULT_BUDGET),
    ...(message !== undefined && { message }),
    signals: {
      activity: given.get("activity") ?? "default",
      ...(file !== undefined && { current_file: file }),
      ...(error !== undefined && { recent_errors: [error] }),
      ...(branch !== undefined && { branch }),
    },
  };
}

function Assembled({ given, project }: { readonly given: URLSearchParams; readonly project: string }) {
  const { value, problem, reload } = useRequest(`context ${project} ${given}`, () =>
    assembleContext(project === PERSONAL ? undefined : project, toBody(given)),
  );
  if (value === undefined) return <StateLine problem={problem} onRetry={reload} />;
  const { receipt, tiers, token_count: tokens, context } = value;
  const words = copy.context;
  if (receipt.items.length + receipt.near_misses.length === 0) return <p>{words.noMemories}</p>;
  return (
    <>
      <section className={pageStyles.card}>
        <p className={styles.total}>{words.used(formatNumber(tokens), formatNumber(receipt.budget))}</p>
        <div className={styles.bar} role="img" aria-label={words.sizes}>
          {TIERS.map(([tier, field]) => (
            <span
              key={tier}
              data-tier={tier}
              style={{ inlineSize: `${(100 * tiers[field]) / receipt.budget}%` }}
              title={`${words.tiers[tier]}: ${words.tokens(tiers[field])}`}
            />
          ))}
        </div>
        {receipt.notes.map((note) => (
          <p key={note} className={pageStyles.soft}>
            {note}
          </p>
        ))}
        <Disclosure summary={words.raw}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text takes the focus, so that keys scroll it */}
          <pre className={styles.raw} tabIndex={0} dir="auto">
            {context === "" ? words.noContext : context}
          </pre>
        </Disclosure>
      </section>
      {TIERS.map(([tier, field]) => (
        <section key={tier} className={pageStyles.card} data-tier={tier}>
          <div className={pageStyles.head}>
            <h3 className={styles.tier} data-tier={tier}>
              {words.tiers[tier]}
            </h3>
            <p className={pageStyles.soft}>
              {words.tierUse(formatNumber(tiers[field]), formatNumber(receipt.allotted[tier]))}
            </p>
          </div>
          <Items items={receipt.items.filter((item) => item.tier === tier)} none={words.empty} />
        </section>
      ))}
      <section className={pageStyles.card}>
        <h3>{words.leftOut}</h3>
        <p className={pageStyles.soft}>
          {receipt.near_misses.length === 0 ? words.nothingLeftOut : words.leftOutWords}
        </p>
        <Items items={receipt.near_misses} hasTiers />
      </section>
    </>
  );
}

interface ItemsProps {
  readonly items: readonly (ContextItem | ContextMiss)[];
  readonly none?: string;
  /** Names the tier of each item. */
  readonly hasTiers?: boolean;
}

function Items({ items, none, hasTiers = false }: ItemsProps) {
  if (items.length === 0) return none === undefined ? undefined : <p className={pageStyles.soft}>{none}</p>;
  return (
    <ul className={styles.items}>
      {items.map((item) => (
        <li key={`${item.id} ${item.rule}`}>
          <p className={styles.item} dir="auto">
            {item.is_message === true ? item.text : <a href={routeHref("memories", item.id)}>{item.text ?? item.id}</a>}
          </p>
          <p className={pageStyles.meta}>
            {hasTiers && <span>{copy.context.tiers[item.tier]}</span>}
            <span>{copy.context.tokens(item.tokens)}</span>
            <span>{item.is_message === true ? copy.context.storedMessage : copy.context.levels[item.level]}</span>
            <span>{copy.context.rules[item.rule] ?? item.rule}</span>
            {"cause" in item && <span>{copy.context.causes[item.cause]}</span>}
            {item.reasons.length > 0 && <span>{item.reasons.join(" · ")}</span>}
          </p>
        </li>
      ))}
    </ul>
  );
}
