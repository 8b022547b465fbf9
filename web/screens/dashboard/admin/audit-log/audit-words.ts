// Where the word that is kept says too little.
const WORDS: Record<string, string> = {
  'job-enqueued': 'Job started',
  'job-input': 'Line sent to a job',
  'job-input-refused': 'Line to a job refused',
  'job-retried': 'Job run again',
  'jobs-bulk': 'Bulk action on jobs',
}

/** "bulk-saved" reads "Bulk saved". */
export function actionWords(action: string): string {
  const own = WORDS[action]
  if (own !== undefined) return own
  const words = action.replaceAll(/[-_.]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What is told with an entry, one short line each: "role: 0 → 1" comes as it was kept. */
export function detailLines(detail: Record<string, unknown>): string[] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
}

const isDay = (typed: string) => /^\d{4}-\d{2}-\d{2}$/.test(typed) && !Number.isNaN(Date.parse(typed))

type AuditFilters = { action: string; who: string; target: string; from: string; to: string }

/** What the server takes: filters that say something; a day that is none would refuse the whole list. */
export function auditQuery({ from, to, ...words }: AuditFilters): Partial<AuditFilters> {
  const days = Object.entries({ from, to }).filter(([, day]) => isDay(day))
  const said = Object.entries(words).filter(([, text]) => text.trim() !== '')
  return Object.fromEntries([...said, ...days])
}
