import { Plus, TriangleAlert } from "lucide-react";
import { type ReactNode, type Ref, useId } from "react";
import { modelCopy } from "../../copy/models.ts";
import { Button } from "../../ui/button.tsx";
import type { ModelChoice, ModelState, SavedEndpoint } from "../chat-model.ts";
import { ChoiceRow } from "./choice-row.tsx";
import { groupChoices } from "./group-choices.ts";
import { LoadingCard } from "./loading-card.tsx";
import styles from "./model-choices.module.css";
import { moveBetweenChoices } from "./move-between-choices.ts";

export interface ModelChoicesProps {
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
    // Arrows are a help beside Tab, which reaches everything.
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
