import type { Page } from "playwright-core";

/** All data that the page stores on the device, as text by location. Bytes are decoded as characters. */
function stored(page: Page): Promise<Readonly<Record<string, string>>> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const letters = (_: string, value: unknown) => {
      if (!ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer)) return value;
      const { buffer } = ArrayBuffer.isView(value) ? value : { buffer: value };
      return Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
    };
    const places: Record<string, string> = {
      localStorage: JSON.stringify({ ...localStorage }),
      sessionStorage: JSON.stringify({ ...sessionStorage }),
    };
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const table of database.objectStoreNames) {
        const rows = await done(database.transaction(table).objectStore(table).getAll());
        places[`${name}.${table}`] = JSON.stringify(rows, letters);
      }
      database.close();
    }
    return places;
  });
}

/** Locations of a word in the stored data. */
export async function placesOf(page: Page, word: string): Promise<readonly string[]> {
  const places = Object.entries(await stored(page));
  return places.flatMap(([place, text]) => (text.toLowerCase().includes(word.toLowerCase()) ? [place] : [])).sort();
}
