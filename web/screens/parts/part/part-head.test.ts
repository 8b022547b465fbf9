import { expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import { descriptionOf, product } from './part-head.tsx'

const alternator = {
  id: '01990000-0000-7000-8000-000000000001',
  partslug: '2014-toyota-camry-alternator-130a-a1b2c3',
  partname: 'Alternator 130A',
  partyear: '2014',
  partyearto: null,
  partmanuname: 'Toyota',
  partmodel: 'Camry',
  partcategory: { id: '01990000-0000-7000-8000-000000000002', name: 'Alternator' },
  partgrade: 'A',
  partprice: 129.95,
  currency: 'usd',
  partnum: '27060-0V210',
  partdescription: 'Bench tested.',
  partshipping: 0,
  shippingKind: 'free',
  partcity: 'Tulsa',
  partstate: 'OK',
  dealername: 'Green Country Salvage',
  stocknum: null,
  asis: false,
  warrantydays: null,
  returndays: null,
  restockpct: null,
  images: [
    { id: '1', url: '/api/auto-part/image/1?v=2', alt: '', width: 1600, height: 1200 },
    { id: '2', url: '/api/auto-part/image/2?v=3', alt: '', width: 1600, height: 1200 },
  ],
  endedAt: null,
} as Listing

test('the description has what a buyer compares', () => {
  expect(descriptionOf(alternator)).toBe(
    'Used 2014 Toyota Camry Alternator 130A, grade A, excellent. Part # 27060-0V210. $129.95, free shipping, from Green Country Salvage in Tulsa, OK.',
  )
  expect(descriptionOf({ ...alternator, partgrade: '', partnum: '', dealername: '', partcity: '' })).toBe(
    'Used 2014 Toyota Camry Alternator 130A. $129.95, free shipping, in OK.',
  )
})

test('the part is a used Product with its Offer, at absolute addresses', () => {
  expect(product(alternator, 'https://parts.example')).toEqual({
    '@type': 'Product',
    name: '2014 Toyota Camry Alternator 130A',
    description: 'Bench tested.',
    image: [
      'https://parts.example/api/auto-part/image/1?v=2',
      'https://parts.example/api/auto-part/image/2?v=3',
    ],
    mpn: '27060-0V210',
    sku: alternator.id,
    category: 'Alternator',
    brand: { '@type': 'Brand', name: 'Toyota' },
    itemCondition: 'https://schema.org/UsedCondition',
    offers: {
      '@type': 'Offer',
      url: 'https://parts.example/parts/2014-toyota-camry-alternator-130a-a1b2c3',
      price: '129.95',
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      itemCondition: 'https://schema.org/UsedCondition',
      shippingDetails: {
        '@type': 'OfferShippingDetails',
        shippingRate: { '@type': 'MonetaryAmount', value: '0.00', currency: 'USD' },
        shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'US' },
      },
      seller: { '@type': 'Organization', name: 'Green Country Salvage' },
    },
  })
  const none = product({ ...alternator, partquantity: 0 }, '') as { offers: { availability: string } }
  expect(none.offers.availability).toBe('https://schema.org/OutOfStock')
  const held = (availability: 'in-cart' | 'pending') => product({ ...alternator, availability }, '')
  expect(held('pending')).toMatchObject({ offers: { availability: 'https://schema.org/OutOfStock' } })
  expect(held('in-cart')).toMatchObject({ offers: { availability: 'https://schema.org/InStock' } })
  const sold = product({ ...alternator, endedAt: '2026-01-02T10:00:00Z' }, '') as {
    offers: { availability: string }
  }
  expect(sold.offers.availability).toBe('https://schema.org/SoldOut')
})

test.each([
  [{ shippingKind: 'flat', partshipping: 20 }, '20.00'],
  [{ shippingKind: 'pickup', partshipping: null }, undefined],
  [{ shippingKind: 'quote', partshipping: null }, undefined],
] as const)('shipping %o is stated as %s', (shipping, value) => {
  const { offers } = product({ ...alternator, ...shipping }, '') as {
    offers: { price: string; shippingDetails?: { shippingRate: { value: string } } }
  }
  expect([offers.price, offers.shippingDetails?.shippingRate.value]).toEqual(['129.95', value])
})

test('stated terms are promises of the Offer; an AS-IS part has no warranty', () => {
  const of = (terms: Partial<Listing>) =>
    (product({ ...alternator, ...terms }, 'https://parts.example') as { offers: Record<string, unknown> })
      .offers
  expect(of({ warrantydays: 90, returndays: 30, restockpct: 15 })).toMatchObject({
    hasMerchantReturnPolicy: {
      returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
      merchantReturnDays: 30,
      restockingFee: 15,
    },
    warranty: { durationOfWarranty: { value: 90, unitCode: 'DAY' } },
  })
  expect(of({ returndays: 0 }).hasMerchantReturnPolicy).toMatchObject({
    returnPolicyCategory: 'https://schema.org/MerchantReturnNotPermitted',
  })
  expect(of({ asis: true, warrantydays: 90 })).not.toHaveProperty('warranty')
})
