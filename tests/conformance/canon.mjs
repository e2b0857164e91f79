// A canonicaliser as one would write it in JavaScript: it promotes each lone `*` emphasis and proves nothing.
import { createInterface } from "node:readline";
import { fromMarkdown } from "mdast-util-from-markdown";

function promotable(node, text, inside, found) {
  if (node.type === "image") return false;
  const isMark = node.type === "emphasis" || node.type === "strong";
  let holdsMark = false;
  for (const child of node.children ?? []) {
    if (promotable(child, text, inside || isMark, found)) holdsMark = true;
  }
  const start = node.position.start.offset;
  if (node.type === "emphasis" && !inside && !holdsMark && text[start] === "*" && text[start + 1] !== "*") {
    found.push(start, node.position.end.offset);
  }
  return isMark || holdsMark;
}

function canonicalize(text) {
  const offsets = [];
  promotable(fromMarkdown(text), text, false, offsets);
  let canonical = "";
  let done = 0;
  for (const offset of offsets.sort((a, b) => a - b)) {
    canonical += text.slice(done, offset) + "*";
    done = offset;
  }
  return canonical + text.slice(done);
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(canonicalize(JSON.parse(line))));
}
