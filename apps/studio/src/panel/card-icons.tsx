import { Maximize2, Pin, Trash2 } from "lucide-react";
import { CATEGORIES, categoryLook } from "./categories.tsx";

/** All icons of the cards, drawn once. Cards refer to them instead of repeating them. */
export function CardIcons() {
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

export const actionSigns = { pin: sign("pin"), unpin: sign("unpin"), expand: sign("expand"), remove: sign("remove") };

export const categorySigns = {
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
