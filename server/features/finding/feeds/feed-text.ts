import { csvLine } from '#contract/csv/csv-cell.ts'
import { partPath } from '#contract/pages/site-paths.ts'
import { pictureUrl } from '#server/features/market/pictures/picture-files.ts'
import { takeTurn } from '#server/platform/http/limits/turns.ts'
import { xmlText } from '#server/platform/http/streamed-documents.ts'
import type { FeedPart } from './feed-parts.ts'

type Parts = AsyncIterable<readonly FeedPart[]>
export type FeedHead = { readonly seller: string; readonly link: string; readonly publicUrl: string }

/** Motor Vehicle Parts, in Google's list of categories. */
const MOTOR_VEHICLE_PARTS = '899'
const LONGEST_DESCRIPTION = 5_000
const MORE_PICTURES = 10

const money = (cents: number, currency: string): string => `${(cents / 100).toFixed(2)} ${currency}`

/** Undefined if shipping is agreed with the buyer. */
function shippingCentsOf({ shippingKind, shippingCents }: FeedPart): number | undefined {
  return shippingKind === 'free' ? 0 : (shippingCents ?? undefined)
}

const PICKUP_LABEL = 'pickup-only'

const isPickup = ({ shippingKind }: FeedPart): boolean => shippingKind === 'pickup'

const kindOf = ({ group, category }: FeedPart): string | undefined =>
  category === null ? undefined : [group, category].filter(Boolean).join(' > ')

const picturesOf = ({ id, pictures }: FeedPart, publicUrl: string): string[] =>
  pictures.map((picture, at) => publicUrl + pictureUrl(at === 0 ? id : picture.id, picture.sha256))

/** An RSS feed in Google Merchant Center's format. */
export async function* googleFeed(
  parts: Parts,
  { seller, link, publicUrl }: FeedHead,
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
${tag('title', seller)}${tag('link', link)}${tag('description', `Used auto parts of ${seller}`)}`
  for await (const some of parts) {
    await takeTurn()
    yield some.map((part) => googleItem(part, publicUrl)).join('')
  }
  yield '</channel>\n</rss>\n'
}

function googleItem(part: FeedPart, publicUrl: string): string {
  const [picture, ...others] = picturesOf(part, publicUrl)
  const shipping = shippingCentsOf(part)
  return [
    '<item>\n',
    tag('g:id', part.id),
    tag('title', part.title),
    tag('description', part.description.slice(0, LONGEST_DESCRIPTION)),
    tag('link', publicUrl + partPath(part.slug)),
    tag('g:image_link', picture),
    ...others.slice(0, MORE_PICTURES).map((other) => tag('g:additional_image_link', other)),
    tag('g:condition', 'used'),
    tag('g:availability', part.quantity > 0 ? 'in_stock' : 'out_of_stock'),
    tag('g:price', money(part.priceCents, part.currency)),
    tag('g:brand', part.make),
    tag('g:mpn', part.partNumber),
    // A part without a number has no public identifier.
    part.partNumber ? '' : tag('g:identifier_exists', 'no'),
    tag('g:google_product_category', MOTOR_VEHICLE_PARTS),
    tag('g:product_type', kindOf(part)),
    shipping === undefined
      ? ''
      : `<g:shipping>\n${tag('g:country', 'US')}${tag('g:price', money(shipping, part.currency))}</g:shipping>\n`,
    // Otherwise the account's shipping rate is advertised for a part that does not ship.
    isPickup(part) ? tag('g:shipping_label', PICKUP_LABEL) + tag('g:pickup_method', 'reserve') : '',
    '</item>\n',
  ].join('')
}

const tag = (name: string, text: string | null | undefined): string =>
  text ? `<${name}>${xmlText(text)}</${name}>\n` : ''

const metaColumns: Record<string, (part: FeedPart, publicUrl: string) => string | null | undefined> = {
  id: ({ id }) => id,
  title: ({ title }) => title,
  description: ({ description }) => description.slice(0, LONGEST_DESCRIPTION),
  availability: ({ quantity }) => (quantity > 0 ? 'in stock' : 'out of stock'),
  condition: () => 'used',
  price: ({ priceCents, currency }) => money(priceCents, currency),
  link: ({ slug }, publicUrl) => publicUrl + partPath(slug),
  image_link: (part, publicUrl) => picturesOf(part, publicUrl)[0],
  additional_image_link: (part, publicUrl) =>
    picturesOf(part, publicUrl)
      .slice(1, 1 + MORE_PICTURES)
      .join(','),
  brand: ({ make }) => make,
  mpn: ({ partNumber }) => partNumber,
  google_product_category: () => MOTOR_VEHICLE_PARTS,
  product_type: kindOf,
  shipping: (part) => {
    const cents = shippingCentsOf(part)
    return cents === undefined ? '' : `US:::${money(cents, part.currency)}`
  },
  custom_label_0: (part) => (isPickup(part) ? PICKUP_LABEL : ''),
}

/** A CSV file in the format of Meta catalogs. */
export async function* metaFeed(parts: Parts, { publicUrl }: FeedHead): AsyncGenerator<string> {
  const columns = Object.entries(metaColumns)
  yield csvLine(columns.map(([name]) => name))
  for await (const some of parts) {
    yield some.map((part) => csvLine(columns.map(([, cell]) => cell(part, publicUrl) ?? ''))).join('')
  }
}
