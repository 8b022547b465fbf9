import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeDescriptionsPlain } from '#server/features/market/listings/plain-descriptions.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { changesOf, listingsOf } from '#tests/support/promotions.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db } = app

test('listings from before the rule get their HTML’s text, once', async () => {
  const yard = await app.signUp({ tier: 'PAID' })
  const texts = ['<p>Good <b>door</b></p><p>w/ glass</p>', 'bolts <m8 and 3 < 4', 'tested good']
  await makeStock(db, { sellerId: yard.user.sellerId, parts: 1_203 }, (at) => ({
    description: texts[at] ?? '<br>Hood &amp; hinges',
    damage: at === 2 ? 'dent <i>left</i>' : null,
  }))
  await sql`delete from loaded_data where name = 'plain descriptions'`.execute(db)
  expect(await makeDescriptionsPlain(db)).toBe(1_202)
  const listings = await listingsOf(app, yard)
  expect(listings.slice(0, 4).map(({ description }) => description)).toEqual([
    'Good door\nw/ glass',
    texts[1],
    texts[2],
    'Hood & hinges',
  ])
  expect(new Set(listings.slice(3).map(({ description }) => description)).size).toBe(1)
  expect(listings.slice(0, 3).map(({ damage, version }) => [damage, version])).toEqual([
    [null, 2],
    [null, 1],
    ['dent left', 2],
  ])
  const history = await changesOf(app, listings[0]?.id ?? '')
  expect(history.at(-1)?.changes).toEqual({ description: [texts[0], 'Good door\nw/ glass'] })

  expect(await makeDescriptionsPlain(db)).toBe(0)
})
