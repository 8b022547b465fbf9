import fc, { array, constantFrom, integer, property, record, string, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type FitmentRow,
  fitmentWords,
  MAX_FITMENT_ROWS,
  plainFitment,
  printFitment,
  readFitment,
} from './fitment.ts'

const rowsOf = (text: string) => {
  const read = readFitment(text)
  if (!('rows' in read)) throw new Error(read.problem)
  return read.rows
}

describe('fitment as text', () => {
  test('is years, make and model, and details in parentheses', () => {
    expect(rowsOf('2008-2012 Honda Accord; 2009 Acura TSX (Engine: 2.4L, without A/C, trim: Sport)')).toEqual(
      [
        { from: 2008, to: 2012, vehicle: 'Honda Accord' },
        { from: 2009, to: 2009, vehicle: 'Acura TSX', trim: 'Sport', engine: '2.4L', note: 'without A/C' },
      ],
    )
  })

  test.each([
    ['2008 – 2012  Honda   Accord ;;\n 2010 Acura TSX ( )', '2008-2012 Honda Accord; 2010 Acura TSX'],
    ['2010 Honda Accord; 2010 Honda Accord', '2010 Honda Accord'],
    ['2010-2010 Land Rover Range Rover Sport', '2010 Land Rover Range Rover Sport'],
    ['', ''],
    ['Honda', 'Honda'],
  ])('%j is stored as %j', (typed, stored) => {
    expect(plainFitment(typed)).toBe(stored)
  })

  test.each([
    ['Honda Accord', 'Fitment 1, “Honda Accord”: begin with the year or years'],
    ['2010 Honda Accord; 2012-2008 Acura TSX', 'Fitment 2, “2012-2008 Acura TSX”: the first year is after'],
    ['20012 Honda Accord', 'write the years as 2008 or 2008-2012'],
    ['1850 Honda Accord', 'use years from 1900'],
    ['2010 Honda', 'name the make and the model'],
    ['2010 Honda Accord (without A/C', 'one pair of parentheses at the end'],
    ['2010 Honda Accord (EX) V6', 'one pair of parentheses at the end'],
    ['2010 Honda Accord (trim:)', 'say which trim'],
    ['2010 Honda Accord (trim: EX, trim: LX)', 'name one trim; add a row'],
    ['2010-2010 - 2010 Accord', 'name the make and the model'],
  ])('%j names the row and what to do', (typed, sentence) => {
    expect(readFitment(typed)).toEqual({ problem: expect.stringContaining(sentence) })
  })

  test('has limits', () => {
    expect(readFitment(`2010 Honda Accord (${'x'.repeat(200)})`)).toEqual({
      problem: expect.stringContaining('at most 200 characters'),
    })
    expect(readFitment('2010 Honda Accord;'.repeat(MAX_FITMENT_ROWS + 1))).toEqual({
      problem: 'Fitment can have at most 200 vehicles; this has 201',
    })
  })

  test('printing what was read, and reading what was printed, changes nothing', () => {
    const words = tuple(string({ maxLength: 20, unit: 'binary' }), constantFrom('Accord', 'x', '3.5L')).map(
      (both) => fitmentWords(both.join(' ')),
    )
    const row = record(
      {
        years: tuple(integer({ min: 1900, max: 2099 }), integer({ min: 1900, max: 2099 })),
        vehicle: words.map((model) => `Honda ${model}`),
        trim: words,
        engine: words,
        body: words,
        position: words,
        note: words.filter((note) => !note.includes(':')),
      },
      { requiredKeys: ['years', 'vehicle'] },
    ).map(({ years: [a, b], vehicle, ...details }): FitmentRow => {
      return { from: Math.min(a, b), to: Math.max(a, b), vehicle, ...details }
    })
    fc.assert(
      property(array(row, { maxLength: 20 }), (rows) => {
        const printed = printFitment(rows)
        expect(printFitment(rowsOf(printed))).toBe([...new Set(printed.split('; '))].join('; '))
        expect(new Set(rowsOf(printed))).toEqual(new Set(rows))
      }),
    )
  })

  test('a text that is accepted is stored in one form only', () => {
    const piece = string({ maxLength: 40, unit: constantFrom(...'2010-; (),:trimAccord\n') })
    fc.assert(
      property(piece, (typed) => {
        expect(plainFitment(plainFitment(typed))).toBe(plainFitment(typed))
      }),
    )
  })
})
