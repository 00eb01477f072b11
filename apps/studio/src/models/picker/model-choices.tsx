import { Progress } from "@base-ui/react/progress";
import { Check, CircleOff, Cpu, Globe, Pencil, Plus, Server, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type Ref, useId } from "react";
import { modelCopy } from "../../copy/models.ts";
import { Button } from "../../ui/controls/button.tsx";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import type { ChatModel, ModelChoice, ModelLoading, ModelState, SavedEndpoint } from "../chat-model.ts";
import styles from "./model-choices.module.css";

interface ModelChoicesProps {
  readonly ref?: Ref<HTMLDivElement>;
  readonly state: ModelState;
  readonly endpoints: readonly SavedEndpoint[];
  readonly onChoose: (choiceId: string | undefined) => void;
  readonly onCancel: () => void;
  readonly onEdit: (endpoint?: SavedEndpoint) => void;
}

/** Models, grouped by the destination of messages. */
export function ModelChoices({ ref, state, endpoints, onChoose, onCancel, onEdit }: ModelChoicesProps) {
  const { choices, current, loading, problem } = state;
  const { device, server, unavailable, ...grouped } = groupChoices(choices);
  const row = (choice: ModelChoice, edited?: SavedEndpoint) => (
    <ChoiceRow
      key={choice.id}
      choice={choice}
      isCurrent={choice.id === current?.choiceId}
      isLoading={choice.id === loading?.choiceId}
      onChoose={() => onChoose(choice.id)}
      {...(edited && { onEdit: () => onEdit(edited) })}
    />
  );
  return (
    // Arrow keys supplement Tab, which reaches every element.
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons are interactive
    <div ref={ref} className={styles.choices} onKeyDown={moveBetweenChoices}>
      {loading && <LoadingCard loading={loading} onCancel={onCancel} />}
      {problem !== undefined && <Problem>{problem}</Problem>}
      <Group title={modelCopy.groups.device}>
        {device.length > 0 && <ul className={styles.list}>{device.map((choice) => row(choice))}</ul>}
        {unavailable.map(({ reason, labels }) => (
          <p key={reason} className={styles.unavailable}>
            <strong>{labels.join(", ")}</strong>
            <br />
            {modelCopy.notAvailable} {reason}
          </p>
        ))}
      </Group>
      <Group title={modelCopy.groups.endpoints}>
        {grouped.endpoints.length > 0 && (
          <ul className={styles.list}>
            {grouped.endpoints.map((choice) =>
              row(
                choice,
                endpoints.find(({ id }) => choice.id === `endpoint:${id}`),
              ),
            )}
          </ul>
        )}
        <Button kind="quiet" className={styles.add} data-choice="" onClick={() => onEdit()}>
          <Plus aria-hidden /> {modelCopy.addEndpoint}
        </Button>
      </Group>
      {server.length > 0 && (
        <Group title={modelCopy.groups.server}>
          <ul className={styles.list}>{server.map((choice) => row(choice))}</ul>
        </Group>
      )}
      {current && (
        <Button kind="quiet" className={styles.none} data-choice="" onClick={() => onChoose(undefined)}>
          {modelCopy.useNone}
        </Button>
      )}
    </div>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.heading}>
        {title}
      </h3>
      {children}
    </section>
  );
}

function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p role="alert" className={styles.problem}>
      <TriangleAlert aria-hidden />
      <span>{children}</span>
    </p>
  );
}

interface ChoiceGroups {
  readonly device: readonly ModelChoice[];
  readonly endpoints: readonly ModelChoice[];
  readonly server: readonly ModelChoice[];
  /** Unavailable choices, one for each reason. */
  readonly unavailable: readonly { readonly reason: string; readonly labels: readonly string[] }[];
}

/** Choices as the picker shows them. */
function groupChoices(choices: readonly ModelChoice[]): ChoiceGroups {
  const usable = choices.filter(({ unavailable }) => unavailable === undefined);
  const isEndpoint = ({ id }: ModelChoice) => id.startsWith("endpoint:");
  const isServer = ({ place }: ModelChoice) => place === "server";
  const reasons = Map.groupBy(
    choices.filter(({ unavailable }) => unavailable !== undefined),
    ({ unavailable = "" }) => unavailable,
  );
  return {
    device: usable.filter((choice) => !isEndpoint(choice) && !isServer(choice)),
    endpoints: usable.filter(isEndpoint),
    server: usable.filter(isServer),
    unavailable: [...reasons].map(([reason, those]) => ({ reason, labels: those.map(({ label }) => label) })),
  };
}

/** Arrow keys move to the next choice, Home and End to the first and the last. */
function moveBetweenChoices(event: KeyboardEvent<HTMLElement>): void {
  const choices = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-choice]")];
  const at = choices.indexOf(event.target as HTMLElement);
  const next = nextIndex(event.key, at, choices.length);
  if (next === undefined) return;
  event.preventDefault();
  choices[next]?.focus();
}

function nextIndex(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowDown") return Math.min(at + 1, count - 1);
  if (key === "ArrowUp") return at === -1 ? count - 1 : Math.max(at - 1, 0);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

interface ChoiceRowProps {
  readonly choice: ModelChoice;
  readonly isCurrent: boolean;
  readonly isLoading: boolean;
  readonly onChoose: () => void;
  /** For endpoints. */
  readonly onEdit?: () => void;
}

function ChoiceRow({ choice, isCurrent, isLoading, onChoose, onEdit }: ChoiceRowProps) {
  const { label, detail, place } = choice;
  return (
    <li className={styles.row}>
      <button
        type="button"
        className={styles.choice}
        data-choice=""
        aria-current={isCurrent || undefined}
        onClick={onChoose}
      >
        <span className={styles.icon}>
          <PlaceIcon place={place} />
        </span>
        <span className={styles.words}>
          <span className={styles.label}>{label}</span>
          <VisuallyHidden>. </VisuallyHidden>
          <span className={styles.detail}>{detail}</span>
        </span>
        {isCurrent && (
          <span className={styles.state}>
            <Check aria-hidden /> {modelCopy.inUse}
          </span>
        )}
        {isLoading && <span className={styles.state}>{modelCopy.isOpening}</span>}
      </button>
      {onEdit && (
        <IconButton label={modelCopy.edit(label)} size="small" icon={<Pencil aria-hidden />} onClick={onEdit} />
      )}
    </li>
  );
}

interface LoadingCardProps {
  readonly loading: ModelLoading;
  readonly onCancel: () => void;
}

/** A model that is being opened: the step, its progress, and a button to cancel. */
function LoadingCard({ loading: { label, text, progress }, onCancel }: LoadingCardProps) {
  return (
    <div className={styles.card}>
      <Progress.Root className={styles.progress} value={progress === undefined ? null : Math.round(progress * 100)}>
        <Progress.Label className={styles.loadingCardLabel}>{label}</Progress.Label>
        <Progress.Value className={styles.value} />
        <Progress.Track className={styles.track}>
          <Progress.Indicator className={styles.indicator} />
        </Progress.Track>
      </Progress.Root>
      <div className={styles.loadingCardRow}>
        <span className={styles.text}>{text}</span>
        <Button kind="link" onClick={onCancel}>
          {modelCopy.cancel}
        </Button>
      </div>
    </div>
  );
}

/** Icon for the location of a model. A text next to it has the same meaning. */
export function PlaceIcon({ place }: { readonly place: ChatModel["place"] | undefined }) {
  if (place === undefined) return <CircleOff aria-hidden />;
  if (place === "device") return <Cpu aria-hidden />;
  return place === "server" ? <Server aria-hidden /> : <Globe aria-hidden />;
}
