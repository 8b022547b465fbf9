import { expect, test } from 'vitest'
import type { PartFit } from '#contract/pages/part-page.ts'
import { verdictOf } from './fits-vehicles.tsx'

const listed = (
  from: number,
  to: number,
  modelId: string | undefined,
  more: Partial<PartFit> = {},
): PartFit => ({
  source: 'seller',
  from,
  to,
  vehicle: `${modelId} as written`,
  details: '',
  ...(modelId && { modelId }),
  ...more,
})

const fits = [
  listed(2010, 2010, 'accord', { source: 'donor', details: 'EX' }),
  listed(2008, 2012, 'accord', { details: 'without A/C' }),
  listed(2008, 2009, 'accord'),
  listed(2009, 2014, 'tsx'),
  listed(2009, 2014, undefined),
]

test.each([
  ['accord', 2009, true, 2],
  ['accord', 2010, true, 0],
  ['accord', 2011, true, 1],
  ['accord', 2013, false, 1],
  ['tsx', 2014, true, 3],
  ['tsx', 2008, false, 3],
  ['civic', 2010, undefined, undefined],
])('a %s of %d: %s by row %s', (modelId, year, isFitting, at) => {
  const { fits: found, row } = verdictOf(fits, { modelId, year })
  expect([found, row]).toEqual([isFitting, at === undefined ? undefined : fits[at]])
})

test('the car a part came from says nothing about other years', () => {
  expect(verdictOf(fits.slice(0, 1), { modelId: 'accord', year: 2011 })).toEqual({ fits: undefined })
})
