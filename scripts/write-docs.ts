import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorTable } from '#contract/error-codes.ts'

const FILE = join(import.meta.dirname, '../docs/errors.md')

/** The page of all error codes, from the table that the server uses. */
function errorsPage(): string {
  const rows = Object.entries(errorTable)
    .toSorted(([a, { status: x }], [b, { status: y }]) => x - y || a.localeCompare(b))
    .map(([code, { status, meaning, action }]) => `| ${status} | \`${code}\` | ${meaning} | ${action} |`)
  return `# Error codes

Generated from \`contract/error-codes.ts\` by \`npm run docs\`. Do not edit.

Every failed call returns \`{"ok": false, "error": "sentence for a person", "code": "…", "requestId": "…"}\`, with
\`fields: {name: sentence}\` if single fields are wrong. The request id is in the log line of the failure.

| status | code | what it means | what to do |
|---|---|---|---|
${rows.join('\n')}
`
}

const page = errorsPage()
if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== page) {
    console.error('docs/errors.md is out of date with contract/error-codes.ts: run npm run docs')
    process.exit(1)
  }
} else {
  writeFileSync(FILE, page)
}
