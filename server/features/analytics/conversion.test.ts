import { expect, test } from 'vitest'
import { withConversion } from './conversion.ts'

test.each([
  [300, 42, 14],
  [0, 0, null],
  [0, 3, null],
  [7, 0, 0],
  [3, 2, 67],
  [200, 1, 1],
  [1, 2, 200],
])('%i views and %i leads are %j percent', (views, leads, conversionPercent) => {
  expect(withConversion({ views, leads })).toEqual({ views, leads, conversionPercent })
})
