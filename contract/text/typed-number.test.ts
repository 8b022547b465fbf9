import { expect, test } from 'vitest'
import { plainNumber } from './typed-number.ts'

test.each([
  ['19.75', '19.75'],
  ['19.', '19'],
  ['.5', '.5'],
  [' $1,299.50 ', '1299.50'],
  ['US$ 85', '85'],
  ['10%', '10'],
  ['1,299', '1299'],
  ['19,75', '19.75'],
  ['1,1', '1.1'],
  ['0,735', '0.735'],
  ['0,0512', '0.0512'],
  ['1.299,50', '1299.50'],
  ['1 299', '1299'],
  ['-10', '-10'],
  ['−10', '-10'],
  ['+5', '5'],
])('%s is %s', (typed, plain) => expect(plainNumber(typed)).toBe(plain))

test.each(['', '-', '$', 'abc', '1,29,9', '12,3456', '1.2.3', '1e5', '5-'])('“%s” is no number', (typed) =>
  expect(plainNumber(typed)).toBeUndefined(),
)
