import { expect, test } from 'vitest'
import { applyArithmetic, parseArithmetic } from './arithmetic.ts'

const reckon = (typed: string, text: string, decimals = 2) => {
  const step = parseArithmetic(typed)
  return step && applyArithmetic(step, text, decimals)
}

test.each([
  ['+5%', '100.00', '105.00'],
  ['-10%', '19.99', '17.99'],
  ['+12.5%', '80.00', '90.00'],
  ['*1.1', '3.00', '3.30'],
  ['*1.005', '1.00', '1.01'],
  ['/3', '10.00', '3.33'],
  ['*50%', '9.99', '5.00'],
  ['-2', '10.50', '8.50'],
  ['+0.01', '0.29', '0.30'],
  ['- 2', '1.00', '-1.00'],
  ['=19.99', '5.00', '19.99'],
  ['=19.99', '', '19.99'],
  ['= 5', 'no number', '5.00'],
  ['*.5', '1,200.00', '600.00'],
])('%s of %s is %s', (typed, text, result) => {
  expect(reckon(typed, text)).toBe(result)
})

test('whole numbers stay whole', () => {
  expect(reckon('+5%', '10', 0)).toBe('11')
  expect(reckon('*1.5', '1', 0)).toBe('2')
})

test.each(['19.99', '5', '', '+', '+5%%', '=A1', '1+1', '/0', '--5', '=10%', '+1e9'])(
  '"%s" is a value',
  (typed) => {
    expect(parseArithmetic(typed)).toBeUndefined()
  },
)

test('a cell without a number is left alone', () => {
  expect(reckon('+5%', '')).toBeUndefined()
  expect(reckon('*2', 'call us')).toBeUndefined()
})
