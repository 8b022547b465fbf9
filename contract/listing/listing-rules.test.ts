import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkListing, fieldLabels, type ListingText, parseShipping, toCents } from './listing-rules.ts'

const year = 2026

describe('money', () => {
  test('every price keeps its cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), (cents) => {
        const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
        expect(toCents(text)).toBe(cents)
      }),
    )
  })

  test.each([
    ['Free', { kind: 'free' }],
    ['free shipping', { kind: 'free' }],
    ['0', { kind: 'free' }],
    ['0.00', { kind: 'free' }],
    ['20', { kind: 'flat', cents: 2_000 }],
    ['$19.5', { kind: 'flat', cents: 1_950 }],
    ['Flat $20', { kind: 'flat', cents: 2_000 }],
    ['flat rate 12.99', { kind: 'flat', cents: 1_299 }],
    ['Pickup only', { kind: 'pickup' }],
    ['pick-up', { kind: 'pickup' }],
    ['-5', undefined],
    ['twenty', undefined],
    ['', undefined],
  ])('shipping %j', (typed, shipping) => {
    expect(parseShipping(typed)).toEqual(shipping)
  })
})

describe('checkListing', () => {
  const fields = Object.keys(fieldLabels) as (keyof typeof fieldLabels)[]
  const anyText = fc.record(Object.fromEntries(fields.map((field) => [field, fc.string()])), {
    requiredKeys: [],
  }) as fc.Arbitrary<ListingText>

  test('any text gives either no problem or a message with fields', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.constantFrom('ecommerce', 'quick'),
        fc.constantFrom('create', 'edit'),
        (text, kind, mode) => {
          const problem = checkListing(kind, text, { mode, year })
          if (!problem) return
          expect(problem.error).not.toBe('')
          expect(Object.keys(problem.fields).length).toBeGreaterThan(0)
        },
      ),
    )
  })

  test('an edit requires only the fields that no listing can lack', () => {
    expect(checkListing('quick', { parttrim: '', partnum: '' }, { mode: 'edit', year })).toBeUndefined()
    expect(checkListing('quick', { partprice: '' }, { mode: 'edit', year })?.error).toBe(
      'Missing required: Price',
    )
  })

  test.each([
    ['ecommerce', '1979', false],
    ['ecommerce', '1980', true],
    ['ecommerce', '2026', true],
    ['ecommerce', '2027', false],
    ['quick', '1899', false],
    ['quick', '1900', true],
    ['ecommerce', '2012-2015', true],
    ['ecommerce', '2012–2015', true],
    ['ecommerce', '1979-1985', false],
    ['ecommerce', '2015-2012', false],
    ['ecommerce', '2012-15', false],
  ] as const)('%s accepts the year %s: %s', (kind, partyear, isFine) => {
    expect(checkListing(kind, { partyear }, { mode: 'edit', year }) === undefined).toBe(isFine)
  })
})

test('an oversized text is refused for its length before any pattern runs', () => {
  const endless = Object.fromEntries(
    Object.keys(fieldLabels).map((field) => [field, `flat${' '.repeat(500_000)}x`]),
  )
  const problem = checkListing('ecommerce', endless, { mode: 'edit', year })
  for (const field of Object.keys(fieldLabels)) {
    expect(problem?.fields[field as keyof typeof fieldLabels]).toContain('at most')
  }
})
