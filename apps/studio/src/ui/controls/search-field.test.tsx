// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { SearchField } from "./search-field.tsx";

afterEach(cleanup);

function Search() {
  const [value, setValue] = useState("rosemary");
  return <SearchField label="Search chats" value={value} onChange={setValue} />;
}

it("is emptied by its button, and then has the focus", () => {
  render(<Search />);
  const clear = screen.getByRole("button", { name: "Clear search" });
  clear.focus();
  fireEvent.click(clear);
  const field = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search chats" });
  expect(field.value).toBe("");
  expect(document.activeElement).toBe(field);
});
