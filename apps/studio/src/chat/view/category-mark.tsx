import { type Category, categoryLook } from "../../panel/categories.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import styles from "./category-mark.module.css";

/** The category of a memory: an icon in its color, and its name for screen readers. */
export function CategoryMark({ category }: { readonly category: Category }) {
  const { label, icon } = categoryLook[category];
  return (
    <span className={styles.mark} data-category={category} title={label}>
      {icon}
      <VisuallyHidden>{label}: </VisuallyHidden>
    </span>
  );
}
