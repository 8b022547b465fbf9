import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib'
import { expect, test } from 'vitest'
import { drawingOf } from '#tests/support/drawn-pdf.ts'
import { statementPdf } from './statement-papers.ts'
import type { Statement, StatementLine } from './statements.ts'

const line = (at: number, cents: number): StatementLine => ({
  number: `PH-${100_000 + at}`,
  title: '2014 Ford F-150 Alternator',
  parts: 1,
  yard: 'Delgado Truck Parts',
  state: 'OK',
  at: new Date('2026-11-28T12:00:00Z'),
  soldAt: new Date('2026-10-28T12:00:00Z'),
  grossCents: cents,
  shippingCents: cents,
  soldCoreCents: cents,
  soldTaxCents: cents,
  refundCents: -cents,
  royaltyCents: -cents,
  coreCents: -cents,
  taxCents: -cents,
  disputeCents: -cents,
  otherCents: -cents,
  transferCents: -cents,
  changeCents: -cents,
  debtCents: cents,
  openCents: -cents,
  transfers: [
    {
      id: 'tr_1',
      at: new Date('2026-11-29T12:00:00Z'),
      cents,
      payout: { id: 'po_1', state: 'paid', arrivesAt: '2026-11-30T00:00:00Z' },
    },
  ],
})

const statement = (lines: StatementLine[], sumCents: number): Statement => ({
  month: '2026-11',
  openingCents: sumCents,
  closingCents: -sumCents,
  owedCents: sumCents,
  lines,
  year: { grossCents: sumCents, payments: 12 },
})

type Box = { text: string; page: number; left: number; right: number; bottom: number }

/** Where each text of a page is, by what was drawn. */
function boxesOf(page: PDFPage, number: number, fonts: Record<'regular' | 'bold', PDFFont>): Box[] {
  const drawn = /\/(\S+) ([\d.]+) Tf[\s\S]*?1 0 0 1 ([\d.-]+) ([\d.-]+) Tm\s+<([\dA-F]*)> Tj/g
  return [...drawingOf(page).matchAll(drawn)].map(([, name = '', size, x, y, hex = '']) => {
    const text = Buffer.from(hex, 'hex').toString('latin1')
    const font = name.includes('Bold') ? fonts.bold : fonts.regular
    // Quotes and dashes, which are outside Latin-1, are in no table.
    const width = font.widthOfTextAtSize(text.replaceAll(/[\u0080-\u009f]/g, '’'), Number(size))
    return { text, page: number, left: Number(x), right: Number(x) + width, bottom: Number(y) }
  })
}

async function boxes(of: Statement): Promise<Box[]> {
  const pdf = await PDFDocument.load(
    await statementPdf(of, {
      yard: 'Delgado Truck Parts',
      site: { productName: 'PartHarbor', publicUrl: 'https://parts.example' },
      now: new Date('2026-12-02T00:00:00Z'),
    }),
  )
  const fonts = {
    regular: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  }
  return pdf.getPages().flatMap((page, at) => boxesOf(page, at, fonts))
}

/** Texts that touch the one after them on their line, or the page's edge. */
function collisions(all: readonly Box[]): string[] {
  const isOff = ({ left, right, bottom }: Box) => left < 53.9 || right > 558.1 || bottom < 40
  const off = all.filter(isOff).map(({ text }) => `off the page: ${text}`)
  const lines = Map.groupBy(all, ({ page, bottom }) => `${page} ${bottom.toFixed(1)}`)
  const touching = [...lines.values()].flatMap((line) =>
    line
      .toSorted((a, b) => a.left - b.left)
      .flatMap(({ text, right }, at, sorted) => {
        const next = sorted[at + 1]
        return next && next.left - right < 2 ? [`${text} | ${next.text}`] : []
      }),
  )
  return [...off, ...touching]
}

test.each([
  [
    'all columns',
    statement(
      Array.from({ length: 60 }, (_, at) => line(at, 123_456)),
      7_407_360,
    ),
  ],
  [
    'dear parts',
    statement(
      Array.from({ length: 3 }, (_, at) => line(at, 1_234_567)),
      99_999_999,
    ),
  ],
  ['a large order', statement([line(899_999, 9_876_543)], 999_999_999)],
])('nothing overlaps or leaves the page: %s', async (_, of) => {
  const all = await boxes(of)
  expect(all.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['Transferred', 'Change', 'Sales tax', 'Disputes', 'At your bank']),
  )
  expect(collisions(all)).toEqual([])
})
