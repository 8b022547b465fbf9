import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Claim,
  type Graph,
  graphOf,
  groupOf,
  MAX_NUMBERS,
  MAX_OF_ONE_NUMBER,
  supersessionsOf,
  whyOf,
} from './graph.ts'

const claim = (kind: Claim['kind'], number: string, other: string, given: Partial<Claim> = {}): Claim => ({
  kind,
  number,
  other,
  sellerId: 'harbor',
  seller: 'Harbor Yard',
  source: 'listing',
  at: new Date('2026-01-01'),
  ...given,
})

const numbers = fc.constantFrom('11111', '22222', '33-333', '44444', '55555', '66666', '77777')
const claims = fc.array(
  fc
    .record({
      kind: fc.constantFrom('same' as const, 'replaces' as const),
      number: numbers,
      other: numbers,
      sellerId: fc.constantFrom('a', 'b', 'c'),
      source: fc.constantFrom('yard' as const, 'listing' as const, 'file' as const),
      day: fc.integer({ min: 1, max: 9 }),
    })
    .filter(({ number, other }) => number !== other)
    .map(({ kind, number, other, day, ...rest }) =>
      claim(kind, number, other, { ...rest, at: new Date(2026, 0, day) }),
    ),
  { maxLength: 24 },
)
const keys = ['11111', '22222', '33333', '44444', '55555', '66666', '77777']

describe('one number on a mirror and a radiator', () => {
  const weak = claim('same', '11111', '22222', { source: 'file', sellerId: 'a' })
  const sure = claim('same', '22222', '33333', { source: 'yard', sellerId: 'b' })
  const mirror = ['mirror']
  const radiator = ['radiator']

  test('hides the claim that joins them', () => {
    const graph = graphOf(
      [weak],
      new Map([
        ['11111', mirror],
        ['22222', radiator],
      ]),
    )
    expect(groupOf(graph, '11111')).toEqual([])
    expect(graph.mixed).toHaveLength(1)
    expect(
      graphOf(
        [weak],
        new Map([
          ['11111', mirror],
          ['22222', ['radiator', 'mirror']],
        ]),
      ).mixed,
    ).toEqual([])
    expect(graphOf([weak], new Map([['11111', mirror]])).mixed).toEqual([])
  })

  test('hides the weaker of two claims that join them together', () => {
    const graph = graphOf(
      [weak, sure],
      new Map([
        ['11111', mirror],
        ['33333', radiator],
      ]),
    )
    expect(groupOf(graph, '22222')).toEqual(['33333'])
    expect(graph.mixed.map(({ number, other }) => [number, other])).toEqual([['11111', '22222']])
  })
})

describe('many claims about one number', () => {
  const flood = (sellerId: string, count: number) =>
    Array.from({ length: count }, (_, n) =>
      claim('same', '11111', `${20_000 + n}`, {
        sellerId,
        source: 'file',
        at: new Date(2026, 0, 1, 0, 0, n),
      }),
    )

  test('of one seller count 20, the oldest', () => {
    const group = groupOf(graphOf(flood('a', 50)), '11111')
    expect(group).toHaveLength(MAX_OF_ONE_NUMBER)
    expect(group).toContain('20000')
    expect(group).not.toContain('20049')
  })

  test('never hide a sure one', () => {
    const claims = ['a', 'b', 'c', 'd'].flatMap((seller, at) =>
      flood(seller, 20).map((one) => ({ ...one, other: `${at}${one.other}` })),
    )
    const sure = ['y', 'z'].map((sellerId) => claim('same', '11111', '99999', { sellerId, source: 'yard' }))
    expect(groupOf(graphOf([...claims, ...sure]), '11111')[0]).toBe('99999')
  })
})

describe('for any claims', () => {
  test('supersessions have no cycle', () => {
    fc.assert(
      fc.property(claims, (given) => {
        const graph = graphOf(given)
        for (const key of keys) {
          const { older, newer } = supersessionsOf(graph, key)
          expect(older).not.toContain(key)
          expect(older.filter((one) => newer.includes(one))).toEqual([])
        }
      }),
    )
  })

  test('groups are symmetric, and all of one group have the same', () => {
    fc.assert(
      fc.property(claims, (given) => {
        const graph = graphOf(given)
        for (const key of keys) {
          const group = groupOf(graph, key)
          for (const other of group) {
            expect([...groupOf(graph, other), other].sort()).toEqual([...group, key].sort())
            expect(whyOf(graph, key, other)).toBeDefined()
          }
        }
      }),
    )
  })

  test('the order of the claims makes no difference, and another seller’s makes an edge surer', () => {
    fc.assert(
      fc.property(claims, fc.integer(), (given, seed) => {
        const shuffled = given.toSorted((a, b) => hash(a, seed) - hash(b, seed))
        expect(endsOf(graphOf(shuffled))).toEqual(endsOf(graphOf(given)))
        for (const edge of graphOf(given).edges) {
          const same = claim(edge.kind, edge.number, edge.other, {
            sellerId: 'd',
            at: new Date('2026-06-01'),
          })
          const surer = graphOf([...given, same]).edges.find((one) => sameEnds(one, edge))
          expect(surer?.confidence).toBeGreaterThan(edge.confidence)
          expect(surer?.confidence).toBeLessThan(1)
        }
      }),
    )
  })
})

const hash = ({ number, other }: Claim, seed: number) =>
  (Number(number.replace('-', '')) * 7 + Number(other.replace('-', '')) * 13) ^ seed
const endsOf = ({ edges, refused }: Graph) =>
  [edges, refused].map((some) => some.map((edge) => [edge.kind, edge.number, edge.other, edge.confidence]))
const sameEnds = (one: { kind: string; number: string; other: string }, two: typeof one) =>
  one.kind === two.kind && one.number === two.number && one.other === two.other

test('that a number is the same and that it replaces are in one order, whichever was said first', () => {
  const said = [claim('replaces', '22222', '77777'), claim('same', '77777', '22222')]
  expect(endsOf(graphOf(said))).toEqual(endsOf(graphOf(said.toReversed())))
})

test('a group that is too large for a part has the neighbors alone, from both ends', () => {
  const hub = Array.from({ length: MAX_NUMBERS + 5 }, (_, at) =>
    claim('same', '00000', `9${1_000 + at}`, { sellerId: `yard ${at}` }),
  )
  const graph = graphOf([...hub, claim('same', '91001', '81001')])
  expect(groupOf(graph, '91001')).toEqual(['00000', '81001'])
  expect(groupOf(graph, '81001')).toEqual(['91001'])
  expect(groupOf(graph, '00000')).toContain('91001')
  expect(groupOf(graph, '00000')).not.toContain('81001')
})

test('of two that contradict each other the surer holds', () => {
  const graph = graphOf([
    claim('replaces', '22222', '11111', { source: 'file' }),
    claim('replaces', '11111', '22222', { source: 'yard', sellerId: 'other', seller: 'Other Yard' }),
  ])
  expect(graph.refused).toMatchObject([{ number: '22222', other: '11111' }])
  expect(supersessionsOf(graph, '22222')).toEqual({ older: [], newer: ['11111'] })
  expect(groupOf(graph, '22222')).toEqual(['11111'])
})

test('says why, through which numbers and according to whom', () => {
  const graph = graphOf([
    claim('replaces', '81150-06470', '81150-06380'),
    claim('replaces', '8115006490', '8115006470', { sellerId: 'two', seller: 'Other Yard' }),
    claim('same', '81150-06490', 'TO2502-171'),
  ])
  const why = (asked: string, found: string) => whyOf(graph, asked, found)
  expect(why('8115006380', '8115006470')).toBe('81150-06470 replaces 81150-06380, according to Harbor Yard')
  expect(why('8115006470', '8115006380')).toBe('81150-06470 replaces 81150-06380, according to Harbor Yard')
  expect(why('8115006380', '8115006490')).toBe(
    '81150-06490 replaces 81150-06380 by way of 81150-06470, according to 2 yards',
  )
  expect(why('8115006490', 'TO2502171')).toBe(
    'TO2502-171 is the same part as 81150-06490, according to Harbor Yard',
  )
  expect(why('8115006470', 'TO2502171')).toBe(
    'TO2502-171 interchanges with 81150-06470 by way of 81150-06490, according to 2 yards',
  )
  expect(why('8115006470', '99999')).toBeUndefined()
})
