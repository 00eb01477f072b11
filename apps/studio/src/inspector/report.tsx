import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { SessionReport } from "throughline/internal/inspect";
import "../ui/tokens.css";
import "../ui/base.css";
import { ReportPage } from "./report-page.tsx";

// The entry of the self-contained page. The command line puts the report into it as JSON.
const data = document.getElementById("report")?.textContent ?? "";
const report: SessionReport = JSON.parse(data);
const root = document.getElementById("root");
document.title = `${report.title} · Throughline`;
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <ReportPage report={report} />
    </StrictMode>,
  );
}
