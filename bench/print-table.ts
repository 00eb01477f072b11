export type Cell = string | number;

/** Prints rows under headers, with numbers right-aligned. */
export function printTable(headers: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const text = [headers, ...rows].map((row) =>
    row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en-US") : cell)),
  );
  const widths = headers.map((_, column) => Math.max(...text.map((row) => row[column]?.length ?? 0)));
  text.forEach((row, index) => {
    const cells = row.map((cell, column) => {
      const isNumber = index > 0 && typeof rows[index - 1]?.[column] === "number";
      return isNumber || (index === 0 && typeof rows[0]?.[column] === "number")
        ? cell.padStart(widths[column] ?? 0)
        : cell.padEnd(widths[column] ?? 0);
    });
    console.log(cells.join("  ").trimEnd());
    if (index === 0) console.log(widths.map((width) => "─".repeat(width)).join("  "));
  });
}
