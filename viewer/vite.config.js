import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

// The licence of three.js asks that its text goes with every copy.
function keepLicences() {
  const text = readFileSync(new URL("node_modules/three/LICENSE", import.meta.url), "utf8").trim();
  return {
    name: "keep-licences",
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === "chunk") file.code = `/*!\nContains three.js (threejs.org):\n${text}\n*/\n${file.code}`;
      }
    },
  };
}

// Three files with fixed names: the program serves these and nothing else.
export default defineConfig({
  base: "./",
  plugins: [keepLicences()],
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      output: { entryFileNames: "app.js", assetFileNames: "style.css", inlineDynamicImports: true },
    },
  },
});
