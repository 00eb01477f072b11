// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import "../../../../../packages/throughline/src/react/patient-queries.fixture.ts";
import type { BrowserEnvironment } from "../create-model-manager.ts";
import { bareModelManager } from "../test/bare-model-manager.fixture.ts";
import { memoryStorage } from "../test/memory-storage.ts";
import { pageModel } from "../test/page-model.ts";
import { ModelPicker } from "./model-picker.tsx";

const KEY = "sk-test-0123456789abcdef";

afterEach(cleanup);

function show(given: Partial<BrowserEnvironment> = {}) {
  const manager = bareModelManager(given);
  let sent = 0;
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent += 1;
      }}
    >
      <ModelPicker manager={manager} />
    </form>,
  );
  return { manager, sent: () => sent };
}

const button = () => screen.getByRole("button", { name: /^Model/ });

async function open() {
  fireEvent.click(button());
  return within(await screen.findByRole("dialog", { name: "Model" }));
}

async function openForm() {
  const list = await open();
  fireEvent.click(list.getByRole("button", { name: "Add an endpoint…" }));
  return within(await screen.findByRole("dialog", { name: "Add an endpoint" }));
}

function type(field: HTMLElement, value: string) {
  fireEvent.change(field, { target: { value } });
}

describe("the button", () => {
  it("shows that there is no model", () => {
    show();
    expect(button().textContent).toBe("Model: No model");
  });

  it("shows the current model", async () => {
    const { manager } = show({ promptApi: pageModel() });
    await act(() => manager.choose("built-in"));
    expect(button().textContent).toBe("Model: Built-in browser model");
  });

  it("shows the progress of a download", async () => {
    const create = async (_: unknown, download: (loaded: number) => void) => {
      download(0.38);
      await new Promise(() => undefined);
    };
    const { manager } = show({ promptApi: pageModel({ create }) });
    act(() => void manager.choose("built-in"));
    await waitFor(() => expect(button().textContent).toBe("Model, loading: Built-in browser model 38%"));
  });
});

describe("the list", () => {
  it("lists unavailable models once for each reason", async () => {
    show();
    const list = await open();
    await waitFor(() => expect(list.getAllByText(/Not available\./)).toHaveLength(2));
    expect(list.getByText(/SmolLM2 360M, Qwen 2\.5 0\.5B/).closest("p")?.textContent).toMatch(/has no WebGPU/);
    expect(list.queryByRole("button", { name: /Llama/ })).toBeNull();
  });

  it("names the destination of messages for each choice", async () => {
    const { manager } = show({
      gpu: { requestAdapter: async () => ({ features: new Set() }) },
      promptApi: pageModel(),
    });
    await manager.saveEndpoint({ label: "Router", baseUrl: "https://openrouter.ai/api/v1", modelId: "m" });
    const list = await open();
    expect(list.getByRole("button", { name: /^Qwen 2\.5 0\.5B.*Stays on this device$/ })).toBeDefined();
    expect(list.getByRole("button", { name: /^Router.*Sent to openrouter\.ai$/ })).toBeDefined();
  });

  it("opens a choice, marks it, and closes", async () => {
    const { manager } = show({ promptApi: pageModel() });
    const list = await open();
    fireEvent.click(list.getByRole("button", { name: /^Built-in browser/ }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(manager.getSnapshot().current?.choiceId).toBe("built-in");
    const again = await open();
    expect(again.getByRole("button", { name: /^Built-in browser/ }).getAttribute("aria-current")).toBe("true");
    fireEvent.click(again.getByRole("button", { name: "Use no model" }));
    await waitFor(() => expect(button().textContent).toBe("Model: No model"));
  });

  it("shows a download with its progress, and cancels it", async () => {
    const create = async (_: unknown, download: (loaded: number) => void) => {
      download(0.5);
      await new Promise(() => undefined);
    };
    const { manager } = show({ promptApi: pageModel({ availability: "downloadable", create }) });
    const list = await open();
    fireEvent.click(list.getByRole("button", { name: /^Built-in browser/ }));
    const bar = await list.findByRole("progressbar", { name: "Built-in browser model" });
    await waitFor(() => expect(bar.getAttribute("aria-valuenow")).toBe("50"));
    fireEvent.click(list.getByRole("button", { name: "Cancel" }));
    expect(list.queryByRole("progressbar")).toBeNull();
    expect(manager.getSnapshot().loading).toBeUndefined();
  });

  it("stays open with the problem when a choice cannot be opened", async () => {
    show({ promptApi: pageModel({ create: () => Promise.reject(new Error("full")) }) });
    const list = await open();
    fireEvent.click(list.getByRole("button", { name: /^Built-in browser/ }));
    expect((await list.findByRole("alert")).textContent).toMatch(/couldn't open its model: full/);
    expect(button().textContent).toContain("there's a problem");
  });

  it("is navigated with arrows, Home and End", async () => {
    show({ gpu: { requestAdapter: async () => ({ features: new Set() }) }, promptApi: pageModel() });
    const list = await open();
    const first = list.getByRole("button", { name: /^Built-in browser/ });
    first.focus();
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? first, { key });
    press("ArrowDown");
    expect(document.activeElement?.textContent).toContain("SmolLM2");
    press("End");
    expect(document.activeElement?.textContent).toContain("Add an endpoint");
    press("ArrowDown");
    expect(document.activeElement?.textContent).toContain("Add an endpoint");
    press("Home");
    expect(document.activeElement).toBe(first);
  });
});

describe("the form for an endpoint", () => {
  it("is filled in by a preset, saved and used, without sending the message", async () => {
    const { manager, sent } = show();
    const form = await openForm();
    fireEvent.click(form.getByRole("button", { name: "Ollama" }));
    expect(form.getByLabelText<HTMLInputElement>("Base URL").value).toBe("http://localhost:11434/v1");
    expect(form.getByText("Sent to localhost:11434 on this device")).toBeDefined();
    type(form.getByLabelText("Model"), "llama3.2");
    fireEvent.click(form.getByRole("button", { name: "Save and use" }));
    await waitFor(() => expect(button().textContent).toBe("Model: llama3.2"));
    expect(manager.endpoints()).toMatchObject([
      { baseUrl: "http://localhost:11434/v1", modelId: "llama3.2", hasKey: false },
    ]);
    expect(sent()).toBe(0);
  });

  it("shows the problem, and keeps the entered values", async () => {
    const { manager } = show();
    const form = await openForm();
    type(form.getByLabelText("Base URL"), "nonsense");
    type(form.getByLabelText("Model"), "m");
    fireEvent.click(form.getByRole("button", { name: "Save and use" }));
    expect((await form.findByRole("alert")).textContent).toMatch(/Enter a full URL/);
    type(form.getByLabelText("Base URL"), "https://a.example/v1");
    type(form.getByLabelText("Context size, in tokens"), "many");
    fireEvent.click(form.getByRole("button", { name: "Save and use" }));
    expect((await form.findByRole("alert")).textContent).toMatch(/whole number, 512 or more/);
    type(form.getByLabelText("Context size, in tokens"), "16,384");
    fireEvent.click(form.getByRole("button", { name: "Save and use" }));
    await waitFor(() => expect(manager.getSnapshot().current?.contextLimit).toBe(16_384));
  });

  it("asks before entered values are dropped, and closes an untouched form at once", async () => {
    show();
    const untouched = await openForm();
    fireEvent.keyDown(untouched.getByLabelText("Base URL"), { key: "Escape" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const form = await openForm();
    type(form.getByLabelText("Base URL"), "https://a.example/v1");
    fireEvent.keyDown(form.getByLabelText("Base URL"), { key: "Escape" });
    const question = within(await screen.findByRole("alertdialog", { name: "Discard your changes?" }));
    fireEvent.click(question.getByRole("button", { name: "Keep editing" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(form.getByLabelText<HTMLInputElement>("Base URL").value).toBe("https://a.example/v1");
    fireEvent.click(form.getByRole("button", { name: "Cancel" }));
    fireEvent.click(await screen.findByRole("button", { name: "Discard" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("lists the models and opens the list, or shows the reason", async () => {
    let status = 200;
    const fetchIt: typeof fetch = async () => Response.json({ data: [{ id: "b" }, { id: "a" }] }, { status });
    show({ fetch: fetchIt });
    const form = await openForm();
    expect(form.getByRole<HTMLButtonElement>("button", { name: "List models" }).disabled).toBe(true);
    type(form.getByLabelText("Base URL"), "https://a.example/v1");
    fireEvent.click(form.getByRole("button", { name: "List models" }));
    expect(await form.findByText("2 models found")).toBeDefined();
    const names = await screen.findAllByRole("option");
    expect(names.map(({ textContent }) => textContent)).toEqual(["a", "b"]);
    fireEvent.keyDown(form.getByLabelText("Model"), { key: "Escape" });
    status = 401;
    fireEvent.click(await form.findByRole("button", { name: "List models" }));
    expect((await form.findByRole("alert")).textContent).toMatch(/a\.example needs an API key/);
  });

  it("never shows a kept key again, and keeps it when the field is left empty", async () => {
    const storage = memoryStorage();
    const { manager } = show({ storage });
    const saved = { label: "Router", baseUrl: "https://openrouter.ai/api/v1", modelId: "m", apiKey: KEY };
    await act(() => manager.saveEndpoint(saved));
    const list = await open();
    fireEvent.click(list.getByRole("button", { name: "Edit Router" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Router" }));
    const key = form.getByLabelText<HTMLInputElement>("API key");
    expect([key.type, key.value]).toEqual(["password", ""]);
    expect(form.getByText("Key ending in cdef is saved.")).toBeDefined();
    expect(document.documentElement.outerHTML).not.toContain(KEY);
    type(form.getByLabelText("Name"), "My router");
    fireEvent.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(manager.endpoints()).toMatchObject([{ label: "My router", hasKey: true }]));
    expect(storage.all()).toContain(KEY);
  });

  it("forgets a key when asked, and with another server", async () => {
    const { manager } = show();
    await act(() => manager.saveEndpoint({ label: "R", baseUrl: "https://a.example/v1", modelId: "m", apiKey: KEY }));
    const list = await open();
    fireEvent.click(list.getByRole("button", { name: "Edit R" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit R" }));
    type(form.getByLabelText("Base URL"), "https://b.example/v1");
    expect(form.queryByText(/is saved\.$/)).toBeNull();
    type(form.getByLabelText("Base URL"), "https://a.example/v2");
    fireEvent.click(form.getByRole("button", { name: "Remove key" }));
    fireEvent.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(manager.endpoints()).toMatchObject([{ baseUrl: "https://a.example/v2", hasKey: false }]),
    );
  });

  it("removes an endpoint after a confirmation", async () => {
    const { manager } = show();
    await act(() => manager.saveEndpoint({ label: "R", baseUrl: "https://a.example/v1", modelId: "m", apiKey: KEY }));
    const list = await open();
    fireEvent.click(list.getByRole("button", { name: "Edit R" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit R" }));
    fireEvent.click(form.getByRole("button", { name: "Remove" }));
    expect(manager.endpoints()).toHaveLength(1);
    fireEvent.click(form.getByRole("button", { name: "Remove endpoint and key" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(manager.endpoints()).toEqual([]);
  });
});
