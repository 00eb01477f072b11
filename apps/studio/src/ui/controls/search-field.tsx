import { Search, X } from "lucide-react";
import { useRef } from "react";
import { frameCopy } from "../../copy/frame.ts";
import { classNames } from "../class-names.ts";
import { IconButton } from "./icon-button.tsx";
import styles from "./search-field.module.css";

export interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string | undefined;
}

/** Narrows a list. Escape empties it. */
export function SearchField({ label, value, onChange, className }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  // The button goes away with the text, so the focus must not stay on it.
  const clear = () => {
    onChange("");
    field.current?.focus();
  };
  return (
    <div className={classNames(styles.search, className)}>
      <Search aria-hidden />
      <input
        ref={field}
        type="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
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
        <IconButton size="small" label={frameCopy.clearSearch} icon={<X aria-hidden />} onClick={clear} />
      )}
    </div>
  );
}
