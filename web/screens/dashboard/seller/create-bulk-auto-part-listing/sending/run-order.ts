import type { User } from '#contract/account/accounts.ts'
import type { ImportDefaults, ImportMapping } from '#contract/csv/import-fields.ts'
import type { ImportMode } from '#contract/imports.ts'
import type { ChosenReading } from '#contract/yard-file/reading.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { RowEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'

export type RunOrder = {
  file: ImportFile
  mapping: ImportMapping
  defaults: ImportDefaults
  mode: ImportMode
  dryRun: boolean
  chunkSize: number
  concurrency: number
  edits: RowEdits
  /** The seller's answers to a check's questions about columns. */
  answers?: Answers
  /** A check that nobody asked for: what is changed meanwhile ends it, and nobody is taken to its result. */
  byItself?: boolean
  /** Fields whose columns were suggested and not chosen by a person. */
  suggested?: readonly string[]
  /** What a person chose of the reading, for later files that look like this one. */
  readAs?: ChosenReading | undefined
  staging: Staging
}

/** By the question's id: the chosen choice, or several of them. */
export type Answers = Readonly<Record<string, string | readonly string[]>>
export const noAnswers: Answers = {}

/** Where and under which date rows are staged. */
export type Staging = { sellerSlug: string; datasetHint: string; timestamp: string }

const DATASET = 'ecomm'

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** The user's name, else the email prefix, else "seller_" and 8 characters of the id. */
export function sellerSlugOf({ name, email, id }: Pick<User, 'name' | 'email' | 'id'>): string {
  return plain(name) || plain(email.split('@')[0] ?? '') || `seller_${id.slice(0, 8)}`
}

const twoDigits = (count: number) => String(count).padStart(2, '0')

/** The local date, not the UTC one. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-')

export const standardStaging = (user: User, now: Date): Staging => ({
  sellerSlug: sellerSlugOf(user),
  datasetHint: DATASET,
  timestamp: dayOf(now),
})

/** Identifies a run's content as text. A file that was saved again has a new modification time. */
export function orderContent(order: RunOrder): string {
  const { file, mapping, defaults, mode, dryRun, chunkSize, edits, staging, answers = {} } = order
  const { name, size, lastModified } = file.file
  const sorted = (entries: object) => Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([
    [name, size, lastModified],
    [sorted(mapping), sorted(defaults), sorted(file.reading), file.decimals],
    [mode, dryRun, chunkSize, staging.sellerSlug, staging.datasetHint],
    ...(Object.keys(answers).length > 0 ? [sorted(answers)] : []),
    edits.size === 0 ? '' : fingerprint(JSON.stringify([...edits].toSorted(([one], [other]) => one - other))),
  ])
}

/** A short hash of a long text. Two 32-bit hashes make collisions negligible. */
function fingerprint(text: string): string {
  let one = 0x811c9dc5
  let other = 0xdeadbeef
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x9e3779b1)
    other ^= other >>> 15
  }
  return [one, other, text.length].map((part) => (part >>> 0).toString(36)).join('-')
}
