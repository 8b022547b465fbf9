import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** The page of all decisions, from the records themselves. */
function decisionsPage(): string {
  const folder = join(DOCS, 'decisions')
  const rows = readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .toSorted()
    .map((name) => {
      const { title, status, beginning } = readDecision(readFileSync(join(folder, name), 'utf8'))
      return `| ${name.slice(0, 4)} | [${title}](${name}) | ${[status, beginning].filter(Boolean).join(' ')} |`
    })
  return `# Decisions

Generated from the records beside it by \`npm run docs\`. Do not edit. A record says what was decided, why, and what it costs;
later ones may change it. [dependencies.md](dependencies.md) has the reason for each package.

| number | decision | how it begins |
|---|---|---|
${rows.join('\n')}
`
}

/** The heading of a record, what it replaces or who replaces it, and how it begins. */
function readDecision(text: string) {
  const [heading = '', ...paragraphs] = text
    .split(/\n{2,}/)
    .map((part) => part.replaceAll(/\s*\n\s*/g, ' ').trim())
  const hasStatus = /^(Accepted|Superseded)\b/.test(paragraphs[0] ?? '')
  const status = hasStatus ? (paragraphs.shift() ?? '') : ''
  const isTable = (part: string) => part.startsWith('|')
  const body = (paragraphs.find((part) => !isTable(part)) ?? '')
    .replaceAll('**', '')
    .replaceAll(/(^|\. )- /g, '$1')
  return {
    title: heading.replace(/^# \d+[.:] /, ''),
    status: status.replace(/^Accepted\. ?/, ''),
    beginning: /^.{30,}?[.?](?= |$)/.exec(body.replace(/^Decision\. /, ''))?.[0] ?? body,
  }
}

const pages = {
  'errors.md': errorsPage(),
  'licenses.md': licensesPage(),
  'decisions/README.md': decisionsPage(),
}
for (const [name, page] of Object.entries(pages)) {
  const path = join(DOCS, name)
  if (!process.argv.includes('--check')) writeFileSync(path, page)
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== page) {
    console.error(`docs/${name} is out of date: run npm run docs`)
    process.exitCode = 1
  }
}
