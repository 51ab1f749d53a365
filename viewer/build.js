// Makes the page: three files with fixed names, which the program serves and nothing else.
// usage: node build.js FOLDER
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const here = (file) => new URL(file, import.meta.url);
const folder = process.argv[2] ?? "dist";

// The licence of three.js asks that its text goes with every copy.
const licence = readFileSync(here("node_modules/three/LICENSE"), "utf8").trim();

mkdirSync(folder, { recursive: true });
await build({
  entryPoints: { app: here("src/main.js").pathname },
  outdir: folder,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  banner: { js: `/*!\nContains three.js (threejs.org):\n${licence}\n*/` },
  logLevel: "warning",
});
await build({
  entryPoints: { style: here("src/style.css").pathname },
  outdir: folder,
  minify: true,
  logLevel: "warning",
});
writeFileSync(join(folder, "index.html"), readFileSync(here("index.html")));
