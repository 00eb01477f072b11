import { Search, X } from "lucide-react";
import { frameCopy } from "../../../copy/frame.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import styles from "./search-field.module.css";

export interface SearchFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Narrows the list of conversations. Escape empties it. */
export function SearchField({ value, onChange }: SearchFieldProps) {
  return (
    <div className={styles.search}>
      <Search aria-hidden />
      <input
        type="search"
        dir="auto"
        aria-label={frameCopy.searchChats}
        placeholder={frameCopy.searchChats}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || value === "") return;
          event.preventDefault();
          event.stopPropagation();
          onChange("");
        }}
      />
      {value !== "" && (
        <IconButton size="small" label={frameCopy.clearSearch} icon={<X aria-hidden />} onClick={() => onChange("")} />
      )}
    </div>
  );
}
