import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { PriceRange } from '#contract/listing/pricing.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
type Help = { range: PriceRange | null }

describe('prices of like parts', () => {
  test('are shown from five parts on, without the listing itself, and of the grade if it has enough', async () => {
    const yard = await app.signUp()
    const made = []
    for (const partprice of ['80', '90', '100', '110', '120', '999']) {
      made.push(await makeQuickListing(yard.api, { partprice, partgrade: 'B', partyear: '2014' }))
    }
    const [first, , , , , last] = made
    const { partcategoryId: categoryId = '', partmodelId: modelId = '' } = first ?? {}
    const ask = async (query: Record<string, string>) =>
      (
        await yard.api.get<Help>(
          `/seller/price-help?${new URLSearchParams({ categoryId: categoryId ?? '', modelId: modelId ?? '', ...query })}`,
        )
      ).body.range
    expect(await ask({ year: '2012-2016', grade: 'B', except: last?.id ?? '' })).toEqual({
      median: 100,
      low: 80,
      high: 120,
      count: 5,
      sold: 0,
      grade: 'B',
    })
    expect(await ask({ year: '2014', grade: 'A' })).toMatchObject({ count: 6, grade: null })
    expect(await ask({ year: '1999', grade: 'B' })).toBeNull()
    await yard.api.post(`/seller/parts/${last?.id}/end`, { reason: 'scrapped' })
    expect(await ask({ year: '2014' })).toMatchObject({ count: 5, sold: 0 })
    await yard.api.post(`/seller/parts/${first?.id}/end`, { reason: 'sold-here' })
    expect(await ask({ year: '2014' })).toMatchObject({ count: 5, sold: 1 })
    await yard.api.delete(`/seller/parts/${made[1]?.id}`)
    expect(await ask({ year: '2014' })).toBeNull()
  })

  test('reprice old listings by age down to a floor, after a preview, and can be undone', async () => {
    const yard = await app.signUp()
    const [old, cheap, fresh] = [
      await makeQuickListing(yard.api, { partprice: '100' }),
      await makeQuickListing(yard.api, { partprice: '21' }),
      await makeQuickListing(yard.api, { partprice: '100' }),
    ]
    const ids = [old.id, cheap.id, fresh.id]
    const change = {
      action: 'age',
      ids,
      rules: [
        { days: 90, percent: -5 },
        { days: 180, percent: -10 },
      ],
      floor: 20,
    }
    const before = await yard.api.post<Outcome>('/seller/parts/bulk', change)
    expect([before.body.updated, before.body.kept.map(({ why }) => why)]).toEqual([
      0,
      Array(3).fill('It is not old enough for any rule'),
    ])
    await age([old.id, cheap.id], 200)
    const preview = (await yard.api.post<Outcome>('/seller/parts/bulk', { ...change, preview: true })).body
    expect(preview.prices?.map(({ from, to }) => [from, to])).toEqual([
      [100, 90],
      [21, 20],
    ])
    expect(await priceOf(yard, old.id)).toBe(100)
    const { body } = await yard.api.post<Outcome>('/seller/parts/bulk', change)
    expect([body.updated, body.kept.length]).toEqual([2, 1])
    expect([
      await priceOf(yard, old.id),
      await priceOf(yard, cheap.id),
      await priceOf(yard, fresh.id),
    ]).toEqual([90, 20, 100])
    await yard.api.post(`/seller/change-sets/${body.changeSetId}/undo`)
    expect(await priceOf(yard, old.id)).toBe(100)
  })
})

type Outcome = {
  updated: number
  changeSetId: string | null
  kept: { why: string }[]
  prices?: { from: number; to: number }[]
}

const priceOf = async (yard: Awaited<ReturnType<typeof app.signUp>>, id: string) =>
  (await yard.api.get<{ partprice: number }>(`/seller/parts/${id}`)).body.partprice

/** The trigger allows writes to listings inside of a change set only. */
const age = (ids: readonly string[], days: number) =>
  withChangeSet(app.db, { actorKind: 'system', reason: 'make older' }, async (trx) => {
    await sql`
      update listing set created_at = created_at - make_interval(days => ${days}) where id = any(${[...ids]}::uuid[])
    `.execute(trx)
  })
