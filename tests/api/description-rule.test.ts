import { expect, test } from 'vitest'
import type { DryRunReply } from '#contract/imports.ts'
import type { Listing } from '#contract/listings.ts'
import { csvOf, partHeader, partMapping, partRow, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import { importRows, listingsOf, partFields, startPromotionWorker } from '#tests/support/promotions.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* HTML, links and phone numbers in descriptions meet one rule on every way in (`contract/text/description.ts`). */

const app = await startTestApp()
await startPromotionWorker(app)

const typed = '<p>Tested &amp; <b>good</b>, bolts <m8</p>Call (918) 555-0142 or see www.yard.example'
const plain = 'Tested & good, bolts <m8\nCall (918) 555-0142 or see www.yard.example'

test('HTML becomes its words, and links and phone numbers stay, on every way in', async () => {
  const seller = await proSeller(app, { trusted: true })
  const admin = await app.signUp({ role: 'admin' })
  const read = async (id: string) =>
    (await seller.api.get<{ items: Listing[] }>('/seller/parts?perPage=50')).body.items.find(
      (one) => one.id === id,
    )?.partdescription

  const quick = await makeQuickListing(seller.api, { partdesc: typed, partdamage: '<i>None</i>' })
  expect([quick.partdescription, quick.partdamage]).toEqual([plain, 'None'])
  const { id } = await makePictureListing(seller.api, { partdescription: typed })
  expect(await read(id)).toBe(plain)

  await seller.api.put(`/seller/parts/${id}`, { partdescription: '<ul><li>One<li>Two</ul>' })
  expect(await read(id)).toBe('One\nTwo')
  const items = [{ id, partdescription: typed }]
  expect((await admin.api.post('/admin/parts/bulk-update', { items })).body).toMatchObject({ updated: 1 })
  expect(await read(id)).toBe(plain)

  // As an administrator’s edit or a script may leave it in a staged file.
  await importRows(app, seller, [partFields(1, { partdescription: typed })])
  expect((await listingsOf(app, seller)).map(({ description }) => description)).toEqual([plain, plain, plain])
})

test('a dry run names the rows and says what happens', async () => {
  const seller = await proSeller(app)
  const header = [...partHeader, 'Notes']
  const notes = ['Tested', typed, 'See https://yard.example', '<b>Left</b>', '5 < 6']
  const file = csvOf(
    notes.map((note, at) => [...partRow(at + 1), note]),
    header,
  )
  const mapping = { ...partMapping, partdescription: 'Notes' }
  const { body } = await sendCsv<DryRunReply>(seller.api, { file, fields: { mapping }, dryRun: true })
  expect(body.preview.errors).toBe(0)
  expect(body.preview.descriptions).toEqual([
    {
      finding: 'html',
      rows: 2,
      first: [3, 5],
      message: 'Rows 3 and 5 have HTML in the description. The tags are removed; the words stay.',
    },
    {
      finding: 'link',
      rows: 2,
      first: [3, 4],
      message: 'Rows 3 and 4 have a link in the description. It stays as plain text that buyers can’t click.',
    },
    {
      finding: 'phone',
      rows: 1,
      first: [3],
      message:
        'Row 3 has a phone number in the description. It stays, and everyone can see it, even if your phone is hidden.',
    },
  ])
})
