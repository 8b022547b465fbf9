import type { Listing } from '#contract/listings.ts'
import { paths } from '#web/paths.ts'
import { formatPrice, gradeInWords, placeOf, shippingInWords, titleOf } from '#web/site/card/listing-words.ts'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import type { Crumb } from '#web/site/page.tsx'
import { breadcrumbList } from '#web/site/structured-data.ts'

/** What search results and shared links show about a part. */
export function PartHead({ listing, trail }: { listing: Listing; trail: readonly Crumb[] }) {
  const { origin } = useSiteFacts()
  const path = paths.part(listing.partslug)
  return (
    <Head
      title={`${titleOf(listing)}, ${formatPrice(listing.partprice, listing.currency)}`}
      description={descriptionOf(listing)}
      canonical={path}
      image={listing.imageUrl}
      noindex={listing.status !== 'ACTIVE'}
      things={
        import.meta.env.SSR &&
        (() => [
          product(listing, origin),
          breadcrumbList(origin, [...trail, { to: path, label: listing.partname }]),
        ])
      }
    />
  )
}

/** "Used, grade A, excellent. Part # 27060-0V210. $129.95, free shipping, from Green Country Salvage in Tulsa, OK." */
export function descriptionOf(listing: Listing): string {
  const { partgrade, partnum, dealername, partprice, currency } = listing
  const place = placeOf(listing)
  const seller = [dealername && `from ${dealername}`, place && `in ${place}`].filter(Boolean).join(' ')
  return [
    `Used ${titleOf(listing)}${partgrade ? `, ${gradeInWords(partgrade).replace('Grade', 'grade')}` : ''}.`,
    partnum && `Part # ${partnum}.`,
    `${[formatPrice(partprice, currency), shippingInWords(listing).toLowerCase(), seller].filter(Boolean).join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The part as schema.org's Product, with its Offer. */
export function product(listing: Listing, origin: string): object {
  const { partnum, partdescription, images, dealername, partmanuname, partcategory } = listing
  return {
    '@type': 'Product',
    name: titleOf(listing),
    ...(partdescription && { description: partdescription }),
    ...(images.length > 0 && { image: images.map(({ url }) => origin + url) }),
    ...(partnum && { mpn: partnum }),
    sku: listing.stocknum ?? listing.id,
    ...(partcategory && { category: partcategory.name }),
    ...(partmanuname && { brand: { '@type': 'Brand', name: partmanuname } }),
    itemCondition: 'https://schema.org/UsedCondition',
    offers: {
      '@type': 'Offer',
      url: origin + paths.part(listing.partslug),
      price: listing.partprice.toFixed(2),
      priceCurrency: listing.currency.toUpperCase(),
      availability: `https://schema.org/${availabilityOf(listing)}`,
      itemCondition: 'https://schema.org/UsedCondition',
      ...shippingDetails(listing),
      ...promises(listing),
      ...(dealername && { seller: { '@type': 'Organization', name: dealername } }),
    },
  }
}

/** The same as in the feeds, which search engines compare. */
function availabilityOf({ endedAt, partquantity, availability }: Listing): string {
  if (endedAt !== null) return 'SoldOut'
  return partquantity === 0 || availability === 'pending' ? 'OutOfStock' : 'InStock'
}

/** What shipping costs, where the seller states it. Parts that are picked up are not shipped. */
function shippingDetails({ shippingKind, partshipping, currency }: Listing): object {
  if (partshipping === null || (shippingKind !== 'free' && shippingKind !== 'flat')) return {}
  return {
    shippingDetails: {
      '@type': 'OfferShippingDetails',
      shippingRate: {
        '@type': 'MonetaryAmount',
        value: partshipping.toFixed(2),
        currency: currency.toUpperCase(),
      },
      shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'US' },
    },
  }
}

/** The stated terms as schema.org's promises; nothing for terms that are not stated. */
function promises({ asis, warrantydays, returndays, restockpct }: Listing): object {
  const returns = typeof returndays === 'number' && {
    '@type': 'MerchantReturnPolicy',
    applicableCountry: 'US',
    returnPolicyCategory: `https://schema.org/MerchantReturn${returndays === 0 ? 'NotPermitted' : 'FiniteReturnWindow'}`,
    ...(returndays > 0 && { merchantReturnDays: returndays }),
    // A number is a percentage of the price.
    ...(returndays > 0 &&
      restockpct && { returnFees: 'https://schema.org/RestockingFees', restockingFee: restockpct }),
  }
  const warranty = !asis &&
    warrantydays && {
      '@type': 'WarrantyPromise',
      durationOfWarranty: { '@type': 'QuantitativeValue', value: warrantydays, unitCode: 'DAY' },
    }
  return { ...(returns && { hasMerchantReturnPolicy: returns }), ...(warranty && { warranty }) }
}
