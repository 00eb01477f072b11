import { ChevronDown, CircleOff, Cpu, Globe, LoaderCircle, Server, TriangleAlert } from "lucide-react";
import { modelCopy } from "../../copy/models.ts";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import type { ChatModel, ModelState } from "../chat-model.ts";
import styles from "./model-picker.module.css";

/** Content of the button: the model that is loading, the current one, or none. */
export function ModelButtonFace({ state: { current, loading, problem } }: { readonly state: ModelState }) {
  const percent = loading?.progress === undefined ? "" : ` ${Math.round(loading.progress * 100)}%`;
  return (
    <>
      <VisuallyHidden>{loading ? modelCopy.loading : modelCopy.current}</VisuallyHidden>
      {loading ? <LoaderCircle aria-hidden className={styles.spinner} /> : <PlaceIcon place={current?.place} />}
      <span className={styles.name}>{loading?.label ?? current?.label ?? modelCopy.none}</span>
      {percent !== "" && <span>{percent}</span>}
      {problem !== undefined && (
        <>
          <TriangleAlert aria-hidden className={styles.warning} />
          <VisuallyHidden>{modelCopy.hasProblem}</VisuallyHidden>
        </>
      )}
      <ChevronDown aria-hidden className={styles.chevron} />
    </>
  );
}

/** Icon for the location of a model. A text next to it has the same meaning. */
export function PlaceIcon({ place }: { readonly place: ChatModel["place"] | undefined }) {
  if (place === undefined) return <CircleOff aria-hidden />;
  if (place === "device") return <Cpu aria-hidden />;
  return place === "server" ? <Server aria-hidden /> : <Globe aria-hidden />;
}
