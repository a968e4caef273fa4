// Reads Mermaid diagrams ([{name, text}] on standard input) and prints what each was read as.
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!DOCTYPE html><body></body>");
globalThis.window = window;
globalThis.document = window.document;

const { default: mermaid } = await import("mermaid");
mermaid.initialize({ startOnLoad: false });

// Mermaid keeps entities apart while it reads: this is how it takes them for letters again.
const decoded = (text) =>
  (text ?? "").replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)));

async function read(document) {
  try {
    const diagram = await mermaid.mermaidAPI.getDiagramFromText(document.text);
    return {
      name: document.name,
      faults: [],
      nodes: [...diagram.db.getVertices().values()].map((vertex) => ({
        id: vertex.id,
        lines: vertex.text.split(/<br\s*\/?>/).map(decoded),
      })),
      edges: diagram.db.getEdges().map((edge) => ({
        from: edge.start,
        to: edge.end,
      })),
    };
  } catch (error) {
    return { name: document.name, faults: [String(error.message ?? error)], nodes: [], edges: [] };
  }
}

const read_all = [];
for (const document of JSON.parse(readFileSync(0, "utf8"))) read_all.push(await read(document));
process.stdout.write(JSON.stringify(read_all));
