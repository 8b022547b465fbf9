import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorTable } from '#contract/error-codes.ts'
import { licensesPage } from './licenses-page.ts'

/* Writes the generated pages of docs/; with --check it writes nothing and fails if one is out of date. */

const DOCS = join(import.meta.dirname, '../docs')

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

const pages = { 'errors.md': errorsPage(), 'licenses.md': licensesPage() }
for (const [name, page] of Object.entries(pages)) {
  const path = join(DOCS, name)
  if (!process.argv.includes('--check')) writeFileSync(path, page)
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== page) {
    console.error(`docs/${name} is out of date: run npm run docs`)
    process.exitCode = 1
  }
}
