import { createHash } from 'node:crypto'
import slugify from '@sindresorhus/slugify'
import { objectOf } from './json-text.ts'

/** Where a staged file shall lie, as the one who sends it wishes. */
export type StagingPlace = {
  /** Names the folder, never an owner; '' for the seller's own. */
  readonly label: string
  readonly hint: string
  /** YYYY-MM-DD; null for the day on which it is staged. */
  readonly date: string | null
}

const LONGEST = 60

const plainName = (text: string) => slugify(text).slice(0, LONGEST).replace(/-+$/, '')

/** Reads `{sellerSlug, datasetHint, timestamp or date}`; answers a sentence where it cannot. */
export function readStagingPlace(sent: unknown): StagingPlace | string {
  const object = sent === undefined || sent === '' ? {} : objectOf(sent)
  if (!object) return 'Staging JSON is not valid'
  const date = readDate(object.timestamp ?? object.date)
  if (date === undefined) return 'The staging date must be a date like 2026-01-31'
  return {
    label: plainName(textOf(object.sellerSlug)),
    hint: plainName(textOf(object.datasetHint)) || 'ecomm',
    date,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 400) : '')

/** The day of a date or of a time; null where none was sent, undefined where it is none. */
function readDate(sent: unknown): string | null | undefined {
  if (sent === undefined || sent === null || sent === '') return null
  const time = new Date(typeof sent === 'string' || typeof sent === 'number' ? sent : Number.NaN)
  const year = time.getUTCFullYear()
  return year >= 2_000 && year < 2_100 ? time.toISOString().slice(0, 10) : undefined
}

type PlacedImport = { sellerId: string; sellerSlug: string; key: string; today: Date }

/** The staged file's path inside its root: `/{folder}/{date}/{hint}-{short key}.json`. */
export function stagingPath(place: StagingPlace, { sellerId, sellerSlug, key, today }: PlacedImport): string {
  const shortKey = createHash('sha256').update(`${sellerId}${key}`).digest('hex').slice(0, 8)
  const date = place.date ?? today.toISOString().slice(0, 10)
  return `/${place.label || sellerSlug}/${date}/${place.hint}-${shortKey}.json`
}
