import { expect, test } from 'vitest'
import type { DryRunReply, StagedReply } from '#contract/imports.ts'
import { csvOf, partRow, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { stagedRecords } from '#tests/support/staged-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Values as people write them, sent as files; each spelling is tested beside its reader. */

const app = await startTestApp()

type Said = { rows: string[][]; decimals?: 'point' | 'comma'; dryRun?: boolean }

async function send<Reply>({ rows, decimals, dryRun = true }: Said) {
  const { api } = await proSeller(app)
  const reading = decimals && { decimals: { partprice: decimals } }
  const { status, body } = await sendCsv<Reply>(api, { file: csvOf(rows), fields: { reading }, dryRun })
  expect(status).toBe(200)
  return body
}

const messagesOf = ({ preview }: DryRunReply) =>
  preview.rows.map(({ issues }) => issues.map(({ row, code }) => `${row} ${code}`).join(', '))

test('values are stored in listing format, next to the row’s original cells', async () => {
  const row = partRow(1, { Year: '2012–15', Price: 'USD 1,299.00' })
  const reply = await send<StagedReply>({ rows: [row], dryRun: false })
  const [record] = await stagedRecords(app, reply.importId)
  expect(record?.fields).toMatchObject({ partyear: '2012-2015', partprice: '1299.00' })
  expect(record?.original).toEqual(row)
})

test('a decimal comma is read if the request says so, and never guessed', async () => {
  const rows = [
    partRow(1, { Price: '1.299,00' }),
    partRow(2, { Price: '85' }),
    partRow(3, { Price: '85.50' }),
  ]
  expect(messagesOf(await send<DryRunReply>({ rows, decimals: 'comma' }))).toEqual(['4 INVALID_PRICE'])
  expect(messagesOf(await send<DryRunReply>({ rows, decimals: 'point' }))).toEqual(['2 INVALID_PRICE'])
})

test('totals at the end get a different error from parts with mistakes', async () => {
  const total = ['Total', '', '', '', '', '', '1,234.50', '']
  const rows = [partRow(1), partRow(2).slice(0, 3), total, ['2 records']]
  expect(messagesOf(await send<DryRunReply>({ rows }))).toEqual([
    '3 TOO_FEW_CELLS',
    '4 NOT_A_PART',
    '5 NOT_A_PART',
  ])
})
