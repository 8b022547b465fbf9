/*
 * `npm run audit`: known vulnerabilities of all packages, from the registry. Ends with 0 if there are none, 1 if there are
 * some, and 2 if the registry did not answer: then nothing is known, which is not the same as none.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const GIVE_UP_MS = 120_000
const MAX_BYTES = 50_000_000

type Vulnerability = { severity: string; isDirect: boolean; range: string; fixAvailable: unknown }
type Report = {
  vulnerabilities?: Record<string, Vulnerability>
  metadata?: { dependencies: { total: number } }
  /** Of a failure: "405 Method Not Allowed - POST …". */
  message?: string
  error?: { code?: string; summary?: string }
}

/** npm ends with 1 for vulnerabilities and for failures alike, so only what it printed counts. */
function npmAudit(): Promise<string> {
  const limits = { cwd: ROOT, timeout: GIVE_UP_MS, maxBuffer: MAX_BYTES }
  return new Promise((resolve) => {
    execFile('npm', ['audit', '--json'], limits, (_error, stdout) => resolve(stdout))
  })
}

function readReport(text: string): Report {
  try {
    return JSON.parse(text) as Report
  } catch {
    return {}
  }
}

const { vulnerabilities, metadata, message, error } = readReport(await npmAudit())
if (!vulnerabilities || !metadata) {
  const reason = error?.summary || error?.code || message?.split(' - ')[0] || 'no report'
  console.error(
    `The package registry did not answer (${reason}). Nothing is known about the packages: try again.`,
  )
  process.exit(2)
}
const found = Object.entries(vulnerabilities)
for (const [name, { severity, isDirect, range, fixAvailable }] of found) {
  const fix = fixAvailable ? 'a fixed version exists' : 'no fixed version yet'
  console.log(`${severity.padEnd(9)} ${name} ${range}${isDirect ? ' (we install it ourselves)' : ''}: ${fix}`)
}
console.log(`${metadata.dependencies.total} packages, ${found.length} with a known vulnerability`)
process.exitCode = found.length > 0 ? 1 : 0
