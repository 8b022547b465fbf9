import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import type { Answer, ApiClient } from './api-client.ts'
import type { SignedIn, TestApp } from './test-app.ts'

/* Small files as a yard sends them, and the calls that bring them in. */

export const partHeader = ['Stock', 'Title', 'Type', 'Make', 'Model', 'Year', 'Price', 'Bin'] as const
type Column = (typeof partHeader)[number]

/** Every column but the last, which stays with the row and is made into nothing. */
export const partMapping: ImportMapping = {
  stocknum: 'Stock',
  partname: 'Title',
  partcategory: 'Type',
  partmanu: 'Make',
  partmodel: 'Model',
  partyear: 'Year',
  partprice: 'Price',
}

/** A row that passes every rule; no two numbers give the same part. */
export function partRow(number: number, changes: Partial<Record<Column, string>> = {}): string[] {
  const row: Record<Column, string> = {
    Stock: `S-${number}`,
    Title: `Alternator ${number}`,
    Type: 'Alternator',
    Make: 'Ford',
    Model: 'F-150',
    Year: '2014',
    Price: `${50 + (number % 50)}.50`,
    Bin: `R${number}`,
    ...changes,
  }
  return partHeader.map((column) => row[column])
}

export const partRows = (count: number, from = 1): string[][] =>
  Array.from({ length: count }, (_, index) => partRow(from + index))

/** A row that is refused: its price is none. */
export const badRow = (number: number): string[] => partRow(number, { Price: 'call us' })

/** As a yard's program writes it: quoted where it must be, and with whatever formulas stand in it. */
const csvLine = (cells: readonly string[]) =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`

export function csvOf(
  rows: readonly (readonly string[])[],
  header: readonly string[] | null = partHeader,
): string {
  return [...(header ? [header] : []), ...rows].map(csvLine).join('')
}

export const gzipped = (text: string): Buffer => gzipSync(text)

export type SentImport = {
  file?: string | Buffer
  fileName?: string
  /** Fields of the form; objects are sent as JSON. */
  fields?: Record<string, string | number | object | undefined>
  /** Fields that come behind the file. */
  after?: Record<string, string>
  dryRun?: boolean
  headers?: Record<string, string>
}

/** Sends a form to the CSV call; with the mapping of our columns unless another one is given. */
export function sendCsv<T = Record<string, unknown>>(
  api: Pick<ApiClient, 'send'>,
  sent: SentImport,
): Promise<Answer<T>> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ mapping: partMapping, ...sent.fields })) {
    if (value !== undefined) form.append(name, typeof value === 'object' ? JSON.stringify(value) : `${value}`)
  }
  if (sent.file !== undefined) {
    const bytes = typeof sent.file === 'string' ? sent.file : new Uint8Array(sent.file)
    form.append('file', new Blob([bytes], { type: 'text/csv' }), sent.fileName ?? 'parts.csv')
  }
  for (const [name, value] of Object.entries(sent.after ?? {})) form.append(name, value)
  return api.send<T>({
    method: 'POST',
    path: `/pro/bulk/parts/csv${sent.dryRun ? '?dryRun=1' : ''}`,
    body: form,
    ...(sent.headers && { headers: sent.headers }),
  })
}

export const newKey = () => `bulk_${randomUUID()}`

/** A seller who may import. */
export async function proSeller(app: TestApp, { trusted = false } = {}): Promise<SignedIn> {
  const seller = await app.signUp({ tier: 'PAID' })
  await app.db
    .updateTable('seller')
    .set({ connect_status: 'VERIFIED', trusted })
    .where('id', '=', seller.user.sellerId)
    .execute()
  return seller
}
