import { expect, test } from 'vitest'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { changeListings, diffColumns, lockListings } from '#server/features/market/listings/write-queries.ts'
import { rememberScriptProse } from '#server/features/market/writing/script-prose.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { stockReader } from '#tests/support/numbered-parts.ts'
import { importRows, partFields, startPromotionWorker } from '#tests/support/promotions.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { stagingDesk } from '#tests/support/staging-desk.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What scripts wrote into a listing follows its facts, whoever changes them. */

const app = await startTestApp()
await startPromotionWorker(app)
const { living } = stockReader(app)
const admin = await app.signUp({ role: 'admin' })

const row = (changes: Fields = {}) => partFields(1, { stocknum: 'S-1', ...changes })
const LINES = 'Part: Alternator 1\nVehicle: 2014 Ford Crown Victoria\nPart number: DL3Z-1'
const AFTER = LINES.replace('DL3Z-1', 'XX-999')
const PROSE = 'This alternator came from a 2014 Ford Crown Victoria, part number DL3Z-1.'
await rememberScriptProse(app.db, PROSE)

const one = async (seller: SignedIn) => {
  const [listing] = await living(seller)
  if (!listing) throw new Error('The seller has no listing')
  return listing
}

type Writer = (seller: SignedIn, id: string) => Promise<unknown>
const writers: [what: string, write: Writer][] = [
  ['the form', (seller, id) => seller.api.put(`/seller/parts/${id}`, { partnum: 'XX-999' })],
  ['an administrator’s form', (_, id) => admin.api.put(`/auto-parts/${id}`, { partnum: 'XX-999' })],
  [
    'a bulk edit',
    (_, id) => admin.api.post('/admin/parts/bulk-update', { items: [{ id, partnum: 'XX-999' }] }),
  ],
  ['a file', (seller) => importRows(app, seller, [row({ partnum: 'XX-999' })])],
  [
    'the file’s value in place of a kept edit',
    async (seller, id) => {
      await seller.api.put(`/seller/parts/${id}`, { partnum: 'MINE-1' })
      const { importId } = await importRows(app, seller, [row({ partnum: 'XX-999' })])
      expect((await one(seller)).part_number).toBe('MINE-1')
      return seller.api.post(`/pro/imports/${importId}/kept`, {})
    },
  ],
]

for (const [what, write] of writers)
  test.each<[text: string, before: string, after: string]>([
    ['lines below a seller’s words', `Tested.\n\n${LINES}`, `Tested.\n\n${AFTER}`],
    ['prose of a model', PROSE, AFTER],
    ['a person’s own prose', `${PROSE} Tested here.`, `${PROSE} Tested here.`],
  ])(`after ${what}: %s`, async (_, before, after) => {
    const seller = await proSeller(app, { trusted: true })
    await importRows(app, seller, [row()])
    const { id } = await one(seller)
    // As the description optimizer does it.
    await withChangeSet(app.db, { actorKind: 'job', reason: 'bulk edit' }, async (trx, changeSetId) => {
      const [listing] = (await lockListings(trx, [id])).values()
      if (!listing) throw new Error('no listing')
      const heading = '2014 Ford Crown Victoria Alternator 1'
      const columns = diffColumns(listing, { description: before, heading })
      await changeListings(trx, [{ before: listing, columns }], changeSetId)
    })
    await write(seller, id)
    expect(await one(seller)).toMatchObject({
      part_number: 'XX-999',
      description: after,
      heading: '2014 Ford Crown Victoria Alternator 1',
    })
  })

test('prose of a model in a staged file gives way to the facts that an administrator corrects', async () => {
  const { patch } = stagingDesk(admin.api)
  const seller = await proSeller(app)
  const rows = [row({ partdescription: PROSE }), partFields(2, { partdescription: `${PROSE} Tested here.` })]
  const { path } = await stageFile(app, { sellerId: seller.user.sellerId, rows })
  const staged = async () => (await currentVersion(app, path)).records
  const cells = (await staged()).map(({ id, fields }) => ({
    id,
    field: 'partnum',
    old: fields.partnum,
    new: 'XX-999',
  }))
  expect((await patch({ path, version: 1, cells })).status).toBe(200)
  expect((await staged()).map(({ fields }) => fields.partdescription)).toEqual([
    AFTER,
    `${PROSE} Tested here.`,
  ])
})
