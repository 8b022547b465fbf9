import { expect, test } from 'vitest'
import type { ColumnQuestion } from '#contract/column-questions/questions.ts'
import { answersTo, answerTo, rateIn } from './answers.ts'
import { askAgain } from './ask-again.ts'
import { partOfStock } from './part-of-stock.ts'

const question = (changes: Partial<ColumnQuestion>): ColumnQuestion => ({
  ...{ id: 'price:A', kind: 'price', column: 'A', sentence: '', values: [], choices: [] },
  ...{ several: false, takesRate: false },
  ...changes,
})
const price = question({})
const currency = question({ id: 'currency:A', kind: 'currency', takesRate: true })
const state = question({ id: 'state:A', kind: 'state', several: true })

test.each([
  ['0.05', 0.05],
  [' .05 ', 0.05],
  ['0,05', 0.05],
  ['$0.73', 0.73],
  ['1', 1],
  ['0.', undefined],
  ['', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['20 pesos', undefined],
  ['1001', undefined],
  ['0,735', 0.735],
  ['1,125', undefined],
  ['5%', undefined],
])('the rate typed as “%s” is %s', (text, rate) => {
  expect(rateIn(currency, text)).toBe(rate)
})

test('an answer is a choice, a rate or several choices; all have to be given', () => {
  expect(answerTo(price, { picked: ['none'], rate: '' })).toBe('none')
  expect(answerTo(currency, { picked: ['leave-out'], rate: '' })).toBe('leave-out')
  expect(answerTo(currency, { picked: ['rate'], rate: '0,05' })).toBe('rate:0.05')
  expect(answerTo(currency, { picked: ['rate'], rate: 'x' })).toBeUndefined()
  expect(answerTo(state, { picked: ['a', 'b'], rate: '' })).toEqual(['a', 'b'])
  expect(answerTo(state, { picked: [], rate: '' })).toBeUndefined()
  const drafts = new Map([['price:A', { picked: ['yes'], rate: '' }]])
  expect(answersTo([price], drafts)).toEqual({ 'price:A': 'yes' })
  expect(answersTo([price, state], drafts)).toBeUndefined()
})

const file = {
  headers: ['Price (MXN)', 'Status'],
  samples: [
    ['100', 'OK'],
    ['200', 'PEND'],
    ['300', 'OK'],
  ],
  decimals: { 'Price (MXN)': 'point' as const },
}

test('a remembered answer is asked again with the choices of its kind', () => {
  const again = (id: string) => askAgain({ id, sentence: 'So it was' }, file)
  expect(again('state:Status')?.choices.map(({ id }) => id)).toEqual(['OK', 'PEND'])
  expect(again('currency:Price (MXN)')).toMatchObject({ column: 'Price (MXN)', takesRate: true })
  // One of several currencies is named behind its column.
  expect(again('currency:Price (MXN) (CAD)')).toMatchObject({
    id: 'currency:Price (MXN) (CAD)',
    column: 'Price (MXN)',
  })
  expect(again('price:Price (MXN)')?.choices.map(({ id }) => id)).toEqual(['Price (MXN)', 'none'])
  expect(again('units:Gone')).toBeUndefined()
})

const whole = { stocknum: 'A', partname: 'B', partprice: 'C' }
const plain = { sheets: [], notes: [], reading: {} }
const makes = ['Ford', 'Toyota']

test.each([
  ['a CSV', plain, whole, undefined],
  ['one sheet', { ...plain, sheets: ['Ford'], reading: { sheet: 'Ford' } }, whole, undefined],
  [
    'one of two sheets',
    { ...plain, sheets: makes, reading: { sheet: 'Ford' } },
    whole,
    /^Only 1 of 2 sheets is read/,
  ],
  ['both sheets', { ...plain, sheets: makes, reading: { sheet: 'Ford', sheets: makes } }, whole, undefined],
  [
    'the only sheet of parts',
    { ...plain, sheets: ['Cover', 'Stock'], together: [], reading: { sheet: 'Stock' } },
    whole,
    undefined,
  ],
  [
    'filtered',
    { ...plain, notes: ['3 hidden rows are read (rows 4, 5, 9).'] },
    whole,
    /^Rows of this workbook are filtered/,
  ],
  ['prices alone', plain, { stocknum: 'A', partprice: 'C' }, /^This file has prices only/],
  ['no columns yet', plain, {}, undefined],
])('whether it may be all of the stock: %s', (_, file, mapping, sentence) => {
  const found = partOfStock({ file, mapping })
  if (sentence) expect(found).toMatch(sentence)
  else expect(found).toBeUndefined()
})
