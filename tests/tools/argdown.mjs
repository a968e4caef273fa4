// Reads Argdown documents ([{name, text}] on standard input) and prints what each was read as.
import { readFileSync } from "node:fs";
import { ArgdownApplication, DataPlugin, ModelPlugin, ParserPlugin } from "@argdown/core";

const app = new ArgdownApplication();
app.addPlugin(new ParserPlugin(), "parse-input");
app.addPlugin(new DataPlugin(), "build-model");
app.addPlugin(new ModelPlugin(), "build-model");

const named = (end) => end?.title ?? end?.argumentTitle ?? null;

const run = (input, process) => app.run({ input, process, throwExceptions: true });

function faultsOf(response) {
  const faults = [...(response.lexerErrors ?? []), ...(response.parserErrors ?? [])];
  return faults.map((fault) => `line ${fault.token?.startLine}: ${fault.message}`);
}

function read(document) {
  // The parser repairs what it cannot read, so that faults have to be asked for, and come first.
  const faults = faultsOf(run(document.text, ["parse-input"]));
  if (faults.length) return { name: document.name, faults, others: [], nodes: [], edges: [] };
  const response = run(document.text, ["parse-input", "build-model"]);
  return {
    name: document.name,
    faults,
    title: response.frontMatter?.title ?? null,
    others: Object.keys(response.arguments ?? {}),
    nodes: Object.values(response.statements ?? {}).map(({ title }) => ({ title })),
    edges: (response.relations ?? []).map((relation) => ({
      from: named(relation.from),
      to: named(relation.to),
    })),
  };
}

const documents = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(documents.map(read)));
