import { describe, expect, test } from 'vitest'
import {
  checkDigitOf,
  isCheckDigitRight,
  isVinLike,
  modelYears,
  nearVins,
  plainVin,
  vinFault,
  vinInBarcode,
  withCheckDigit,
  withoutLookalikes,
} from './vin-rules.ts'

const CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ'
/** From the worked examples in Wikipedia, “Vehicle identification number”, and in 49 CFR 565. */
const RIGHT = ['1M8GDM9AXKP042788', '5GZCZ43D13S812715', '11111111111111111', '1G4AH59H45G118341']

test('finds the check digit', () => {
  expect(RIGHT.map(checkDigitOf)).toEqual(['X', '1', '1', '4'])
  expect(isCheckDigitRight('1M8GDM9A1KP042788')).toBe(false)
  expect(withCheckDigit('1M8GDM9A1KP042788')).toBe('1M8GDM9AXKP042788')
})

test('notices every change of one character, unless both have the same value', () => {
  const digitOf = (character: string) => checkDigitOf(`00000000000000${character}00`)
  for (const vin of RIGHT) {
    for (let at = 0; at < vin.length; at += 1) {
      for (const character of CHARACTERS) {
        const changed = vin.slice(0, at) + character + vin.slice(at + 1)
        const isSame = at !== 8 && digitOf(character) === digitOf(vin.charAt(at))
        expect(isCheckDigitRight(changed)).toBe(isSame || changed === vin)
      }
    }
  }
})

test('reads a VIN however it is typed', () => {
  expect(plainVin(' vin: 1hg-cm826 33a.004352 ')).toBe('1HGCM82633A004352')
  expect(isVinLike('1HGCM82633A004352')).toBe(true)
  expect(isVinLike('11111111111111111')).toBe(false)
  expect(isVinLike('8115006470-8115O6')).toBe(false)
})

test.each([
  ['1HGCM82633A004352', '1HGCM82633A004352'],
  ['I1HGCM82633A004352', '1HGCM82633A004352'],
  ['*1hgcm82633a004352*', '1HGCM82633A004352'],
  ['https://vin.example/?v=1HGCM82633A004352&plant=A', '1HGCM82633A004352'],
  ['LABEL;I1HGCM82633A004352;US\u001D', '1HGCM82633A004352'],
  // A car for Europe has no check digit.
  ['WVWZZZ1JZ3W386752', 'WVWZZZ1JZ3W386752'],
])('finds the VIN in a barcode with %s', (text, vin) => expect(vinInBarcode(text)).toBe(vin))

test.each(['27060-0V210', 'I1HGCM82633A00435', 'SN 1HGCM82643A004352 A', 'X1HGCM82633A004352', ''])(
  'finds no VIN in a barcode with %s',
  (text) => expect(vinInBarcode(text)).toBeUndefined(),
)

describe('a text that is not a VIN', () => {
  test('has an I, O or Q', () => {
    expect(vinFault('IHGCM82633A0O4352')).toEqual({
      sentence: 'Character 1 cannot be I: a VIN has no I, O or Q. Did you mean 1?',
      position: 1,
      suggestions: ['1HGCM82633A004352'],
    })
    expect(vinFault('1HGCM82633AQ04352')?.position).toBe(12)
  })

  test('has another length', () => {
    const short = vinFault('1HGCM8633A004352')
    expect(short?.sentence).toBe('A VIN has 17 characters; this one has 16')
    expect(vinFault('1HGCM82633A04352')?.suggestions).toContain('1HGCM82633A004352')
    expect(vinFault('1HGCM82633A0004352')?.suggestions).toContain('1HGCM82633A004352')
    expect(vinFault('')?.suggestions).toEqual([])
  })

  test('has characters other than digits and letters', () => {
    expect(vinFault('1HGCM82633A00435é')?.position).toBe(17)
    expect(vinFault('1HGCM82633A004352')).toBeUndefined()
  })
})

test('knows both model years of position 10', () => {
  const yearsOf = (code: string) => modelYears(`000000000${code}0000000`)
  expect([yearsOf('A'), yearsOf('Y'), yearsOf('1'), yearsOf('9')]).toEqual([
    [1980, 2010],
    [2000, 2030],
    [2001, 2031],
    [2009, 2039],
  ])
  expect([yearsOf('0'), yearsOf('U'), yearsOf('Z')]).toEqual([[], [], []])
})

test('suggests corrections for a single typo in a VIN', () => {
  expect(nearVins('1HGCM82633A004325')).toContain('1HGCM82633A004352')
  expect(nearVins('1HGCM8Z633A004352')).toContain('1HGCM82633A004352')
  for (const vin of RIGHT) expect(nearVins(vin).every(isCheckDigitRight)).toBe(true)
})

test('letters that no VIN has are read as digits if the check digit confirms it', () => {
  expect(withoutLookalikes('1FTFW1EFOEF425733')).toBe('1FTFW1EF0EF425733')
  expect(withoutLookalikes('1HGCM82633AO04352')).toBe('1HGCM82633A004352')
  expect(withoutLookalikes('1HGCM82643AO04352')).toBe('1HGCM82643AO04352')
  expect(withoutLookalikes('1HGCM82633A004352')).toBe('1HGCM82633A004352')
})
