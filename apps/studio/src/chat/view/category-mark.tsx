import { type Category, categoryLook } from "../../panel/categories.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import styles from "./category-mark.module.css";

/** The sign of a memory's category: an icon in its color, and its word for those who hear it. */
export function CategoryMark({ category }: { readonly category: Category }) {
  const { label, icon } = categoryLook[category];
  return (
    <span className={styles.mark} data-category={category} title={label}>
      {icon}
      <VisuallyHidden>{label}: </VisuallyHidden>
    </span>
  );
}
