// node validate.mjs INPUT OUTPUT: the Khronos validator finds no error and no warning in OUTPUT that
// INPUT does not have (counted by code). INPUT may be "-": then OUTPUT must have none at all.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import validator from 'gltf-validator';

const ERROR = 0, WARNING = 1;

async function issues(path) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
    uri: path,
    maxIssues: 0,
    externalResourceFunction: (uri) =>
      new Promise((resolve, reject) => {
        try {
          resolve(new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))));
        } catch (error) {
          reject(error.message);
        }
      }),
  });
  const counts = new Map();
  for (const issue of report.issues.messages) {
    if (issue.severity !== ERROR && issue.severity !== WARNING) continue;
    const entry = counts.get(issue.code) ?? { count: 0, first: issue };
    ++entry.count;
    counts.set(issue.code, entry);
  }
  return counts;
}

const [input, output] = process.argv.slice(2);
const before = input === '-' ? new Map() : await issues(input);
let bad = 0;
for (const [code, { count, first }] of await issues(output)) {
  if (count <= (before.get(code)?.count ?? 0)) continue;
  ++bad;
  console.log(`  ${code}: ${count} (input ${before.get(code)?.count ?? 0}), e.g. ${first.pointer ?? ''} ${first.message}`);
}
process.exit(bad === 0 ? 0 : 1);
