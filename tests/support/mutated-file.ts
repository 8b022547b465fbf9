import { gzipSync } from 'node:zlib'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { makeWorkbook, zipOf } from './make-workbook.ts'

/* Files that a transfer or a disk damaged by one byte, or cut off; the same seed makes the same file everywhere. */

export const damagedKinds = ['xlsx', 'gz', 'zip', 'csv'] as const
export type DamagedKind = (typeof damagedKinds)[number]

const HEADER = ['Part', 'Category', 'Make', 'Model', 'Year', 'Price', 'Stock #']
const ROWS = 300

export const damagedMapping = {
  partname: 'Part',
  partcategory: 'Category',
  partmanu: 'Make',
  partmodel: 'Model',
  partyear: 'Year',
  partprice: 'Price',
  stocknum: 'Stock #',
}

function partRow(at: number): [string, string, string, string, number, number, string] {
  const random = seededRandom(`part ${at}`)
  const name = random.pick(['Headlight, left', 'Alternator', '“Big” bumper', 'Door mirror', 'Tür; Türgriff'])
  return [
    `${name} ${random.whole(1, 1e9).toString(36)}`,
    'Lighting',
    random.pick(['Toyota', 'Ford']),
    random.pick(['Camry', 'F-150']),
    random.whole(1998, 2024),
    random.whole(10, 900) + 0.99,
    `S${at}`,
  ]
}
const rows = [HEADER, ...Array.from({ length: ROWS }, (_, at) => partRow(at))]

const csv = () =>
  Buffer.from(
    rows
      .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(','))
      .join('\r\n'),
  )
const workbook = async () =>
  Buffer.from(await (await makeWorkbook({ sheets: [{ name: 'Parts', rows }] })).arrayBuffer())

const whole: Record<DamagedKind, () => Buffer | Promise<Buffer>> = {
  csv,
  gz: () => gzipSync(csv()),
  zip: async () =>
    Buffer.from(await (await zipOf({ 'parts.csv': csv().toString(), 'notes.txt': 'x' })).arrayBuffer()),
  xlsx: workbook,
}
const made = new Map<DamagedKind, Buffer>()

async function wholeFile(kind: DamagedKind): Promise<Buffer> {
  const file = made.get(kind) ?? (await whole[kind]())
  made.set(kind, file)
  return file
}

/** The whole file with the damage of a seed. */
export async function damagedFile(kind: DamagedKind, seed: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = await wholeFile(kind)
  const random = seededRandom(`${kind} ${seed}`)
  const at = random.whole(0, bytes.length - 1)
  const byte = Buffer.of(random.whole(0, 255))
  const [before, rest] = [bytes.subarray(0, at), bytes.subarray(at + 1)]
  switch (random.pick(['delete', 'insert', 'flip', 'truncate'])) {
    case 'delete':
      return Buffer.concat([before, rest])
    case 'insert':
      return Buffer.concat([before, byte, bytes.subarray(at)])
    case 'flip':
      return Buffer.concat([before, Buffer.of((bytes[at] ?? 0) ^ (1 << random.whole(0, 7))), rest])
    default:
      return Buffer.concat([before])
  }
}
