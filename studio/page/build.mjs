// Makes the studio's page one file: index.html with its styles, its script and the script's worker inside.
//
//   node build.mjs            dist/page.html, dist/page.html.gz, and dist/page.csp: the policy that lets just this script run
//   node build.mjs --tests    build/tests/*.mjs, for node --test
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const most_compressed = 400_000; // bytes

async function bundle(entry, more = {}) {
  const result = await build({
    entryPoints: [join(here, entry)], bundle: true, write: false, minify: true, target: "es2022", format: "iife",
    legalComments: "none", logLevel: "warning", ...more,
  });
  return result.outputFiles[0].text;
}

// `import source from "./worker.ts?text"`: what the worker is started from.
const worker_as_text = {
  name: "worker as text",
  setup(plugins) {
    plugins.onResolve({ filter: /\?text$/ }, (found) => ({
      path: join(found.resolveDir, found.path.slice(0, -"?text".length)), namespace: "worker",
    }));
    plugins.onLoad({ filter: /.*/, namespace: "worker" }, async (found) => ({
      contents: await bundle(found.path.slice(here.length + 1)), loader: "text",
    }));
  },
};

async function page() {
  const inside = (text, closing) => text.replaceAll(`</${closing}`, `<\\/${closing}`);
  const script = inside(await bundle("src/main.ts", { plugins: [worker_as_text], loader: { ".webp": "dataurl" } }), "script");
  const styles = await bundle("styles.css", { loader: { ".css": "css" } });
  const html = readFileSync(join(here, "index.html"), "utf8")
    .replace("<!-- styles -->", () => `<style>${styles}</style>`)
    .replace("<!-- script -->", () => `<script>${script}</script>`);
  const compressed = gzipSync(html, { level: 9 });
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = [
    "default-src 'none'", `script-src 'sha256-${hash}'`, "worker-src blob:", "style-src 'unsafe-inline'",
    "img-src 'self' blob: data:", "connect-src 'self' blob:", "base-uri 'none'", "form-action 'none'",
  ].join("; ");
  mkdirSync(join(here, "dist"), { recursive: true });
  writeFileSync(join(here, "dist/page.html"), html);
  writeFileSync(join(here, "dist/page.html.gz"), compressed);
  writeFileSync(join(here, "dist/page.csp"), policy + "\n");
  console.log(`dist/page.html: ${html.length} bytes, compressed ${compressed.length}`);
  if (compressed.length > most_compressed) throw new Error(`The page is more than ${most_compressed} bytes, compressed.`);
}

async function tests() {
  const names = readdirSync(join(here, "tests")).filter((name) => name.endsWith(".test.ts"));
  await build({
    entryPoints: names.map((name) => join(here, "tests", name)), bundle: true, platform: "node", format: "esm",
    target: "node18", outdir: join(here, "build/tests"), outExtension: { ".js": ".mjs" }, logLevel: "warning",
  });
}

await (process.argv.includes("--tests") ? tests() : page());
