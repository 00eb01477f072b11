import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A million characters of each kind. */
const SIZE = 1_000_000;

export type CaseName = "prose" | "code" | "json" | "cjk" | "base64" | "one letter";

export const CASE_NAMES: readonly CaseName[] = ["prose", "code", "json", "cjk", "base64", "one letter"];

/** Real text comes from installed packages. */
export function makeCase(name: CaseName): string {
  switch (name) {
    case "prose":
      return installed((file) => /\.(md|markdown)$/i.test(file));
    case "code":
      return installed((file) => /\.(ts|mts|cts)$/.test(file));
    case "json":
      return installed((file) => file.endsWith(".json"));
    case "cjk":
      return chinese();
    case "base64":
      return randomBytes(SIZE).toString("base64").slice(0, SIZE);
    case "one letter":
      return "a".repeat(SIZE);
  }
}

function installed(fits: (file: string) => boolean): string {
  const root = path.resolve(import.meta.dirname, "../../node_modules");
  const texts: string[] = [];
  let length = 0;
  const visit = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (length >= SIZE) return;
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) visit(full);
      else if (entry.isFile() && fits(entry.name)) {
        // No single file dominates the case.
        const text = readFileSync(full, "utf8").slice(0, 50_000);
        texts.push(text);
        length += text.length;
      }
    }
  };
  visit(root);
  return texts.join("\n").slice(0, SIZE);
}

/** Sentences of common words in random order. */
function chinese(): string {
  const words =
    "我们 今天 讨论 如何 处理 一个 很长 的 对话 因为 模型 窗口 有限 所以 必须 保留 重要 信息 用户 要求 系统 记住 文件 名称 函数 错误 原因 以及 已经 完成 工作 如果 没有 这些 内容 就 不能 继续 下去 他 认为 应该 先 检查 测试 然后 再 修改 代码 最后 发布 新 版本 时间 问题 方法 结果 可能 需要 更多 数据 城市 天气 学习 朋友 经济 发展 历史 文化 世界 中国".split(
      " ",
    );
  const noise = randomBytes(SIZE);
  let text = "";
  for (let i = 0; text.length < SIZE; i += 1) {
    const byte = noise[i % noise.length] ?? 0;
    text += words[(byte * 31 + i) % words.length];
    if (byte % 11 === 0) text += byte % 2 === 0 ? "，" : "。\n";
  }
  return text.slice(0, SIZE);
}
