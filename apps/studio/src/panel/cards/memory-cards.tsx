import { Maximize2, Pin, Trash2 } from "lucide-react";
import { type RefObject, startTransition, useEffect, useMemo, useState } from "react";
import type { MemoryFact } from "throughline/chat";
import {
  explainMeanwhile,
  FactCard,
  type FactCardActions,
  type FactCardLook,
  type FactCommand,
  FactList,
  type FactListHandle,
  type FactSelection,
  type OpenEdits,
  showFact,
} from "throughline/react";
import type { Studio } from "../../app/studio.ts";
import { formatNumber } from "../../copy/format.ts";
import { panelCopy } from "../../copy/panel.ts";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { sayProblem, tryTo } from "../panel-toast.ts";
import { CATEGORIES, type Category, categoryLook } from "./categories.tsx";
import { describeSource, type SourceWords, titlesById } from "./describe-source.ts";
import card from "./fact-card.module.css";
import editor from "./fact-editor.module.css";
import styles from "./memory-cards.module.css";
import type { TabName } from "./memory-tabs.tsx";
import { EmptyState, FailedState, LoadingState } from "./panel-states.tsx";

interface MemoryCardsProps {
  readonly studio: Studio;
  readonly facts: readonly MemoryFact[];
  readonly ids: readonly string[];
  readonly tab: TabName;
  /** Words of the search field. */
  readonly query: string;
  readonly edits: OpenEdits;
  readonly actions: FactCardActions;
  readonly selection: FactSelection | undefined;
  readonly list: RefObject<FactListHandle | null>;
  readonly onClose: () => void;
}

/** As many as a tall screen shows; the others come in a second step, so that the sheet is there at once. */
const FIRST = 24;

export function MemoryCards(props: MemoryCardsProps) {
  const { studio, facts, ids, tab, query, actions, list } = props;
  const state = useSnapshot(studio.book);
  const isWhole = useSecondStep();
  const shown = isWhole ? facts : facts.slice(0, FIRST);

  if (state.status === "loading") return <LoadingState />;
  if (state.status === "failed") return <FailedState book={studio.book} problem={state.problem} />;
  if (facts.length === 0) return <EmptyState tab={tab} query={query.trim()} />;
  const onCommand = (command: FactCommand, id: string) => {
    const fact = facts.find((one) => one.id === id);
    if (fact) obey(command, fact, actions, props.selection !== undefined);
  };
  return (
    <>
      <CardIcons />
      <FactList ref={list} ids={ids} onCommand={onCommand}>
        {(activeId) =>
          CATEGORIES.map((category) => (
            <Group
              key={category}
              {...props}
              category={category}
              total={facts.filter((fact) => fact.category === category).length}
              facts={shown.filter((fact) => fact.category === category)}
              activeId={activeId}
            />
          ))
        }
      </FactList>
    </>
  );
}

interface GroupProps extends MemoryCardsProps {
  readonly category: Category;
  /** Number of facts, with those that are not rendered yet. */
  readonly total: number;
  readonly activeId: string | undefined;
}

function Group({ studio, category, total, facts, tab, edits, actions, selection, activeId, onClose }: GroupProps) {
  const state = useSnapshot(studio.book);
  const open = useSnapshot(edits);
  const look = useLook(studio, onClose);
  if (facts.length === 0) return null;
  const { group, icon } = categoryLook[category];
  return (
    <section aria-label={group} data-category={category} className={styles.group}>
      {tab === "all" && (
        <h3 className={styles.heading}>
          {icon} {group} <span className={styles.count}>{total}</span>
        </h3>
      )}
      <ul className={styles.cards}>
        {facts.map((fact) => {
          const edit = open.get(fact.id);
          return (
            <FactCard
              key={fact.id}
              fact={fact}
              look={look}
              actions={actions}
              isActive={fact.id === activeId}
              edit={edit}
              notice={
                edit &&
                explainMeanwhile(
                  edit,
                  state.facts.find(({ id }) => id === fact.id),
                )
              }
              savedAt={state.saved?.id === fact.id ? state.saved.at : undefined}
              isSelected={selection?.ids.has(fact.id)}
            />
          );
        })}
      </ul>
    </section>
  );
}

function useLook(studio: Studio, onClose: () => void): FactCardLook {
  const { conversations } = useSnapshot(studio);
  const { past } = useSnapshot(studio.book);
  return useMemo(() => {
    const titles = titlesById(conversations);
    const before = new Map(past.map((fact) => [fact.id, fact]));
    const now = Date.now();
    return {
      categories: categorySigns,
      icons: actionSigns,
      classNames: { ...card, editor },
      confidence: ({ confidence, mentionCount }) =>
        panelCopy.card.confidence(`${formatNumber(confidence * 100)}%`, mentionCount),
      source: (fact, tabIndex) => (
        <SourceLine
          studio={studio}
          fact={fact}
          source={describeSource(fact, titles, now)}
          tabIndex={tabIndex}
          history={historyOf(fact, before)}
          onJumped={onClose}
        />
      ),
    };
  }, [studio, conversations, past, onClose]);
}

/** Facts that a memory replaced, latest first. */
function historyOf(fact: MemoryFact, before: ReadonlyMap<string, MemoryFact>): readonly MemoryFact[] {
  const history: MemoryFact[] = [];
  let replaced = before.get(fact.updatesFactId ?? "");
  while (replaced !== undefined && !history.includes(replaced)) {
    history.push(replaced);
    replaced = before.get(replaced.updatesFactId ?? "");
  }
  return history;
}

function obey(command: FactCommand, fact: MemoryFact, actions: FactCardActions, isSelecting: boolean): void {
  if (command === "extend") {
    if (isSelecting) actions.select(fact, true);
  } else if (isSelecting) {
    // While cards are ticked the keys are for all that are ticked.
    return;
  } else if (command === "expand") {
    actions.edit(fact, "full");
  } else {
    actions[command](fact);
  }
}

function useSecondStep(): boolean {
  const [isSecond, setIsSecond] = useState(false);
  useEffect(() => startTransition(() => setIsSecond(true)), []);
  return isSecond;
}

/** All icons of the cards, drawn once. Cards refer to them instead of repeating them. */
function CardIcons() {
  return (
    <svg aria-hidden="true" width="0" height="0" style={{ position: "absolute" }}>
      {CATEGORIES.map((category) => (
        <symbol key={category} id={nameOf(category)} viewBox="0 0 24 24">
          {categoryLook[category].icon}
        </symbol>
      ))}
      <symbol id={nameOf("pin")} viewBox="0 0 24 24">
        <Pin />
      </symbol>
      <symbol id={nameOf("unpin")} viewBox="0 0 24 24">
        <Pin fill="currentColor" />
      </symbol>
      <symbol id={nameOf("expand")} viewBox="0 0 24 24">
        <Maximize2 />
      </symbol>
      <symbol id={nameOf("remove")} viewBox="0 0 24 24">
        <Trash2 />
      </symbol>
    </svg>
  );
}

const actionSigns = { pin: sign("pin"), unpin: sign("unpin"), expand: sign("expand"), remove: sign("remove") };

const categorySigns = {
  project: { label: categoryLook.project.label, icon: sign("project") },
  preference: { label: categoryLook.preference.label, icon: sign("preference") },
  identity: { label: categoryLook.identity.label, icon: sign("identity") },
};

function sign(name: string) {
  return (
    <svg aria-hidden="true">
      <use href={`#${nameOf(name)}`} />
    </svg>
  );
}

function nameOf(name: string): string {
  return `memory-card-${name}`;
}

interface SourceLineProps {
  readonly studio: Studio;
  readonly fact: MemoryFact;
  readonly source: SourceWords;
  readonly tabIndex: 0 | -1;
  /** Replaced facts, latest first. */
  readonly history: readonly MemoryFact[];
  readonly onJumped: () => void;
}

/** Source of a memory. A click goes there. */
function SourceLine({ studio, fact, source, tabIndex, history, onJumped }: SourceLineProps) {
  const earlier = history.length > 0 && (
    <span className={card.history} title={history.map((one) => one.fact).join("\n")}>
      {panelCopy.card.before} <bdi>{showFact(history[0]?.fact ?? "")}</bdi>
      {history.length > 1 && panelCopy.card.more(history.length - 1)}
    </span>
  );
  const shown = (
    <>
      {source.canJump && <VisuallyHidden>{panelCopy.card.fromChat} </VisuallyHidden>}
      <bdi className={card.from}>{source.short}</bdi>
      <span className={card.day}> · {source.day}</span>
    </>
  );
  if (!source.canJump) {
    return (
      <>
        <span className={card.source}>{shown}</span>
        {earlier}
      </>
    );
  }
  const jump = async () => {
    const isThere = await tryTo(() =>
      studio.jumpTo({
        conversationId: fact.lastSeenConversationId,
        ...(fact.lastSeenMessageId !== undefined && { messageId: fact.lastSeenMessageId }),
      }),
    );
    if (isThere) onJumped();
    else if (isThere === false) sayProblem(panelCopy.card.messageGone);
  };
  return (
    <>
      <button
        type="button"
        tabIndex={tabIndex}
        className={card.source}
        title={fact.quote ? `${source.words}: ${fact.quote}` : source.words}
        onClick={() => void jump()}
      >
        {shown}
      </button>
      {earlier}
    </>
  );
}
