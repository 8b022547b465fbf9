import { expect, test } from 'vitest'
import { shopifyFolder } from './shopify-layout.ts'

const header = [
  'Handle',
  'Title',
  'Option1 Value',
  'Variant SKU',
  'Variant Price',
  'Image Src',
  'Image Position',
  'Variant Image',
  'Status',
]
const url = (number: number) => `https://cdn.example/${number}.jpg`
const row = (handle: string, changes: Record<string, string> = {}) =>
  header.map((name) => (name === 'Handle' ? handle : (changes[name] ?? '')))
const picture = (handle: string, number: number) => row(handle, { 'Image Src': url(number) })

/** In batches of one row; rows may come in batches of any size. */
function fold(rows: string[][]) {
  const folder = shopifyFolder(header)
  const folded = [...rows.flatMap((one) => folder.push([one])), ...folder.finish()]
  return {
    rows: folded,
    notes: folder.notes(),
    pictures: folded.map((cells) => cells[5]?.split(' | ')),
  }
}

const hood = row('hood', { Title: 'Hood', 'Variant SKU': 'H-1', 'Variant Price': '90', 'Image Src': url(1) })

test('pictures in rows below join their product, which keeps its position', () => {
  const door = row('door', { Title: 'Door', 'Variant SKU': 'D-1', 'Image Src': url(9) })
  const blank = header.map(() => '')
  const { rows, pictures, notes } = fold([hood, picture('hood', 2), blank, picture('hood', 3), door])
  expect(pictures).toEqual([[url(1), url(2), url(3)], undefined, undefined, undefined, [url(9)]])
  expect(rows.map((cells) => cells[3])).toEqual(['H-1', undefined, undefined, undefined, 'D-1'])
  expect(notes).toEqual(['2 rows of extra pictures join the product above. A part takes up to 24 pictures.'])
})

test('a part takes 24 of them', () => {
  const rows = [hood, ...Array.from({ length: 40 }, (_, at) => picture('hood', at + 2))]
  expect(fold(rows).pictures[0]).toEqual(Array.from({ length: 24 }, (_, at) => url(at + 1)))
})

test('every variant has all pictures of its product, its own first', () => {
  const left = row('lamp', {
    Title: 'Lamp',
    'Option1 Value': 'Left',
    'Variant SKU': 'L',
    'Image Src': url(1),
  })
  const right = row('lamp', {
    'Option1 Value': 'Right',
    'Variant SKU': 'R',
    'Image Src': url(2),
    'Variant Image': url(3),
  })
  const { rows, pictures } = fold([left, right, picture('lamp', 3)])
  expect(rows.map((cells) => cells[1])).toEqual(['Lamp (Left)', 'Lamp (Right)', undefined])
  expect(pictures).toEqual([[url(1), url(2), url(3)], [url(3), url(1), url(2)], undefined])
  // The browser folds a file before it sends it, and the server folds what it receives.
  const again = fold(rows)
  expect(again.pictures).toEqual(pictures)
  expect(again.rows).toEqual(rows)
})

test('a draft is left out with its pictures', () => {
  const draft = hood.with(8, 'draft')
  expect(fold([draft, picture('hood', 2)])).toMatchObject({
    rows: [[], []],
    notes: ['1 product is a draft or archived and is left out.'],
  })
})

test('the option of a product without variants is in its title if it says a place', () => {
  const titles = ['Default Title', 'Used', 'Left'].map((option) => fold([hood.with(2, option)]).rows[0]?.[1])
  expect(titles).toEqual(['Hood', 'Hood', 'Hood (Left)'])
})
