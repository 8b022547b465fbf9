import { setTimeout as sleep } from 'node:timers/promises'
import type { DryRunReply, ImportMode, ImportReceipt, ImportRecord, StagedReply } from '#contract/imports.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import type { ApiClient } from './api-client.ts'
import { type ExportedRow, exportParts, standardCsv, standardMapping } from './exported-parts.ts'
import { newKey, sendCsv } from './make-imports.ts'

/*
 * Files made by a seed from pieces that each meet a rule of importing, and the comparison of what a dry run says of them
 * with what the run's receipt says.
 */

/** A seller who may import, signed in. */
export type Yard = Pick<ApiClient, 'get' | 'post' | 'send'>

const parts = [
  ['Alternator', 'Alternator'],
  ['Starter Motor', 'Starter Motor'],
  ['Hood', ''],
  ['Engine Computer ECM', 'Computers'],
  ['Left Headlight', 'LAMPS'],
  ['Radiator', 'Radiator'],
  ['Door Glass LH', 'Glass'],
] as const

const vehicles = [
  ['Ford', 'F-150', '2014'],
  ['FORD', 'crown vic', '2009'],
  ['Toyota', 'Camry', '2012'],
  ['Chevy', 'Silverado 1500', '2010-2012'],
  ['Honda', 'Civic', '2016'],
] as const

/** Numbers recur in later files of the yard, so that rows update and end parts. */
const NUMBERS = 30

function goodRow(random: Random): ExportedRow {
  const number = random.whole(1, NUMBERS)
  const [name, category] = parts[number % parts.length] ?? parts[0]
  const [make, model, year] = vehicles[number % vehicles.length] ?? vehicles[0]
  return {
    ...{ stocknum: `S-${number}`, partnum: `PN-${number}-A`, partname: name, partcategory: category },
    ...{ partmanu: make, partmodel: model, partyear: year },
    partprice: String(random.pick([50, 50, 75]) + number),
    partquantity: '1',
    partstate: random.pick(['OK', 'OK', 'OK', 'NY', 'CA']),
  }
}

const vin = '1FTFW1ET5DFC10312'

/** Changes of a good row. Each meets a rule that may refuse, hold, end, merge or correct it. */
const pieces: readonly ((row: ExportedRow, random: Random) => ExportedRow)[] = [
  // Restricted parts, with and without what they need.
  () => ({ partname: 'Driver air bag' }),
  () => ({ partname: 'Driver air bag', partstate: 'NY' }),
  () => ({ partname: 'Passenger air bag', neverdeployed: 'Yes', vin }),
  () => ({ partname: 'Catalytic converter', vin }),
  () => ({ partname: 'Pipe', partcategory: 'Catalytic Converter' }),
  () => ({ partname: 'Smog pump', partstate: 'CA' }),
  // The language of a text, its length, and what a text field can't have.
  ({ partname }) => ({ partname: `${partname} fuck` }),
  () => ({ partdescription: 'This shit works' }),
  () => ({ dealername: 'Fuck Auto' }),
  ({ partname }) => ({ partname: `${partname} `.repeat(40) }),
  () => ({ partdescription: 'Tested. '.repeat(1_500) }),
  () => ({ partdescription: '<p>Runs &amp; drives</p>', partname: 'Hood &amp; hinges' }),
  ({ partname }) => ({ partname: `${partname} - SCRATCHED, see photos` }),
  // Values.
  (_, random) => ({ partprice: random.pick(['', '0', '-5', 'call us', '12345678901', '1,250.00', '$80']) }),
  (_, random) => ({ partyear: random.pick(['', '1850', '2099', '14', '2010-2030', 'unknown']) }),
  (_, random) => ({ partgrade: random.pick(['A', 'F', 'excellent', '?']) }),
  (_, random) => ({ partquantity: random.pick(['0', '3', '-1', 'many', '2000000']) }),
  (_, random) => ({ partmiles: random.pick(['120000', '99999999', 'n/a']) }),
  (_, random) => ({ partnum: random.pick(['3-Jan', '1.2E+11', 'N/A', '', 'P'.repeat(200)]) }),
  (_, random) => ({ zipcode: random.pick(['74103', 'ABC']), partshipping: random.pick(['Free', '20', 'x']) }),
  (_, random) => ({ dealerphone: random.pick(['(918) 555-0142', '12']), vin: random.pick([vin, 'ABC']) }),
  () => ({ asis: 'Yes', warrantydays: '90' }),
  // Pictures.
  (_, random) => ({
    imageUrl: random.pick(['https://pictures.example/1.jpg', 'http://127.0.0.1/x.jpg', 'ftp://x/y', 'none']),
  }),
  // Names: missing, misspelled, unknown, several.
  (_, random) => ({ partcategory: random.pick(['', 'Glass', 'Zzyzx', 'Computers', 'ALTERNATERS']) }),
  (_, random) => ({ partname: random.pick(['', 'Gizmo', 'Assembly', 'Glass', 'Door Handle RH']) }),
  (_, random) => ({ partmanu: random.pick(['', 'Studebaker', 'Toyotta', 'Merc', 'Ford / Mazda', 'Zzyzx']) }),
  (_, random) => ({ partmodel: random.pick(['', 'Lark', 'F150', 'Camery', 'Outback, Corolla', 'X9000']) }),
  (_, random) => ({ partside: random.pick(['LH', 'RH', 'Left', 'front']) }),
  // Identity.
  () => ({ stocknum: '' }),
  () => ({ stocknum: '', partnum: '' }),
  ({ stocknum = '' }) => ({ stocknum: stocknum.replace('S-', 's 00') }),
  () => ({ partname: 'Tail light', partnum: 'OTHER-1', partcategory: 'Tail Light' }),
]

const ROWS = 20

function chanceRows(random: Random): ExportedRow[] {
  const rows = Array.from({ length: ROWS }, () => {
    let row = goodRow(random)
    while (random.chance(0.4)) row = { ...row, ...random.pick(pieces)(row, random) }
    return row
  })
  while (random.chance(0.5)) rows.splice(random.whole(0, rows.length), 0, { ...random.pick(rows) })
  return rows
}

/** Some of a seller's exported rows, edited; with or without their ids. */
function editedExport(random: Random, exported: readonly ExportedRow[]): ExportedRow[] {
  const rows = exported.filter(() => random.chance(0.7)).slice(0, ROWS)
  return rows.flatMap((row) => {
    let edited = row
    while (random.chance(0.3)) edited = { ...edited, ...random.pick(pieces)(edited, random) }
    if (random.chance(0.1)) edited = { ...edited, listingid: '' }
    return random.chance(0.05) ? [edited, { ...edited, partprice: '11' }] : edited
  })
}

type ChanceFile = { mode: ImportMode; file: string }

async function chanceFile(yard: Yard, random: Random): Promise<ChanceFile> {
  const mode = random.chance(0.4) ? 'replace' : 'add'
  if (random.chance(0.3)) {
    const rows = editedExport(random, (await exportParts(yard)).rows)
    if (rows.length > 0) return { mode, file: standardCsv(rows) }
  }
  return { mode, file: standardCsv(chanceRows(random)) }
}

const LOOK_MS = 100
const PATIENCE_MS = 60_000

/** Confirms endings like a seller who saw them. */
async function untilLive(yard: Yard, importId: string): Promise<ImportRecord> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(LOOK_MS)) {
    const { body } = await yard.get<ImportRecord>(`/pro/imports/${importId}`)
    if (body.state === 'applied') return body
    if (body.state === 'failed') throw new Error(`The import failed: ${body.error}`)
    if (body.canConfirm) await yard.post(`/pro/imports/${importId}/confirm`, { planId: body.plan?.id })
  }
  throw new Error(`The import ${importId} isn't live after a minute`)
}

type Figures = Readonly<Record<string, number>>

function expectedFigures({ preview: { total, errors, whole, plan } }: DryRunReply): Figures {
  const { unchanged = 0, merged = 0, refused = 0 } = whole ?? {}
  const { creates = 0, updates = 0, ends = 0, held = 0 } = plan ?? {}
  return { total, errors, creates, updates, ends, unchanged, merged, refused, held }
}

/** A plan compares rows with their last ones; the receipt names listings that were like their row all along. */
const receiptFigures = (
  { total, created, updated, ended, unchanged, alreadyEqual = 0, merged, rejected, waiting }: ImportReceipt,
  refused: number,
): Figures => ({
  ...{ total, creates: created, updates: updated + alreadyEqual, ends: ended, merged, refused },
  unchanged: unchanged - alreadyEqual,
  errors: rejected - refused,
  held: waiting + refused,
})

/** Again while the service is busy, as a client does. */
async function send<T>(yard: Yard, { mode, file, dryRun }: ChanceFile & { dryRun: boolean }) {
  const fields = { mapping: standardMapping, mode, idempotencyKey: newKey() }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendCsv<T>(yard, { file, fields, dryRun })
    if (answer.status !== 503 || attempt === 10) return answer
    await sleep(1_000)
  }
}

type ChanceResult = { differences: string[]; file: string }

/** Checks a file, imports it, and names each figure in which the two differ. */
export async function compareCheckWithRun(yard: Yard, seed: string): Promise<ChanceResult> {
  const { mode, file } = await chanceFile(yard, seededRandom(seed))
  const checked = await send<DryRunReply>(yard, { mode, file, dryRun: true })
  const sent = await send<StagedReply>(yard, { mode, file, dryRun: false })
  if (checked.status !== sent.status || sent.status !== 200) {
    const same = checked.status === sent.status
    return { differences: same ? [] : [`status ${checked.status}, then ${sent.status}`], file }
  }
  const { importId } = sent.body
  await untilLive(yard, importId)
  const { body: receipt } = await yard.get<ImportReceipt>(`/pro/imports/${importId}/receipt`)
  const figures = expectedFigures(checked.body)
  const received = receiptFigures(receipt, figures.refused ?? 0)
  const differences = Object.keys(figures)
    .filter((name) => figures[name] !== received[name])
    .map((name) => `${name}: ${figures[name]} in the check, ${received[name]} in the run`)
  return { differences, file }
}
