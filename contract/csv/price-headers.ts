import { currencyOfHeader, withoutCurrency } from '#contract/column-questions/currencies.ts'

/**
 * Which of a file's amounts a buyer pays, by the columns' names. A yard keeps several: what it asks, what a new part lists
 * for, what it paid, and the deposit on the old part.
 */

/**
 * `paid` is the buyer's price, `price` could be any price, `list` is a price that is usually discounted, `never` is
 * not a price.
 */
type PriceKind = 'paid' | 'price' | 'list' | 'never'

export type PriceName = {
  kind: PriceKind
  /** Every word of the name is understood. */
  isWhole: boolean
  /** In a currency other than US dollars. */
  isForeign: boolean
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const nouns = setOf(
  'price prices pricing prc prce preis preise precio precios preco precos prix prezzo prijs cena vk retail rtl asking ask msrp srp rrp uvp list',
)
/** A price only if the whole header is one of these: “Was”, “Now”, “Net”. */
const aloneWords = setOf('net now was internet web regular cash sale special selling sell offer')
const buyNow = setOf('buynow')
/** These are a price only together with a word about selling: “sale_amt”. */
const amountWords = setOf('amount amt value')
const paidWords = setOf(
  `sale sales sell selling net internet online web website your our asking ask current cash special discounted promo now
   final public publico venta venda verkauf verkaufs vk vente yard buynow buyitnow contado efectivo notre nos unser unsere nuestro recycled used offer oferta
   angebot aktion usado gebraucht occasion promocion tag store shop counter ttc brutto`,
)
const listWords = setOf(
  'list msrp regular compare was original suggested manufacturer srp rrp uvp old lista catalogo catalogue catalog katalog recommended recomendado neupreis',
)
/** Amounts that no buyer pays for the part, even without “price” in the name. */
const costWords = setOf(
  `cost costs purchase purchased wholesale wholesaler whsl whs jobber payout cst trade custo costo costos coste compra mayoreo mayorista einkauf einkaufs ek
   kosten achat coutant revient margin profit markup`,
)
/** These words mean another kind of price. */
const otherWords = setOf(
  `buy bought paid buying dealer core cores deposit min minimum floor reserve lowest bottom last previous scrap auction
   bid commission ins insurance insurer tax taxes fee fees ship shipping freight delivery handling total save savings
   discount mayor minimo impuesto iva nucleo mwst pfand versand consigne tva port livraison gros competitor average avg
   max maximum date type id code level break change changed updated weight qty quantity count percent pct note notes ext extended line`,
)
const fillers = setOf(
  `usd us usa u s dollar dollars unt un unit eur euro euros cad cdn can canadian c mxn mx peso pesos gbp aud chf each ea unit item part
   product variant start starting it now in the of de du al el la le in at per pc piece ht netto new amount amt value rate cent cents en`,
)

/** What a price includes or excludes does not change which price it is. */
const INCLUDED =
  /\b(?:no|not|non|w o|w|without|excl(?:uding|usive)?|excluye|exclus|ex|before|inc(?:l(?:uding|usive)?)?|incluye|includes|inclus|included|inkl|with|after|plus|sin|con|ohne|mit|zzgl|sans|avec|hors|mas)(?: (?:de|any|all|sales|the))? (?:tax(?:es)?|vat|gst|hst|cores?(?: charge)?|iva|impuestos?|mwst|ust|tva|taxes?|nucleo|pfand|consigne)\b/g

/** Shipping is in another column or by quote. */
const NOT_SHIPPED =
  /\b(?:no|not incl\w*|w o|without|excl\w*|ex|before|plus|sin|ohne|zzgl|sans|hors) (?:shipping|freight|delivery|envio|versand|porto|port|livraison)\b/g
const INCLUDED_AFTER = /\b(?:tax(?:es)?|vat|gst|iva|mwst|tva) (?:excl|incl|inkl|exkl)\w*/g
const DISCOUNTED = /\b(?:after|with|incl\w*|less) discounts?\b|\bdiscount(?= price)/g

const wordsIn = (header: string): string =>
  header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}$€£¥]+/gu, ' ')
    .trim()
    .toLowerCase()

/** "saleprice" and "Verkaufspreis" are two words. */
const COMPOUND = /^(\p{L}{2,}?)(price|preis|precio|prix|cost|prijs)$/u
const NOW = /\bbuy ?(?:it ?)?now\b/g

/** The kind of money that a header names, or undefined. */
export function priceName(header: string): PriceName | undefined {
  const text = wordsIn(header)
  const currency = currencyOfHeader(header)
  const isForeign = currency !== undefined && currency !== 'USD'
  const without = (isForeign ? wordsIn(withoutCurrency(header)) : text)
    .replace(/^how much$/, 'price')
    .replace(INCLUDED, ' ')
    .replace(INCLUDED_AFTER, ' ')
    .replace(NOT_SHIPPED, ' ')
    .replace(DISCOUNTED, 'discounted')
    .replace(NOW, 'buynow')
  const words = without
    .replace(/[$€£¥]/g, ' ')
    .split(' ')
    .filter(Boolean)
    .flatMap((word) => COMPOUND.exec(word)?.slice(1) ?? [word])
  // “$” alone is a header.
  if (/^(?:us ?)?\$$/.test(text)) return { kind: 'price', isWhole: true, isForeign: false }
  const has = (list: ReadonlySet<string>) => words.some((word) => list.has(word))
  const isCost = has(costWords)
  // “Our $” is a price as “$” is.
  const hasSign = text.includes('$') && words.length <= 2
  const isNamed =
    has(nouns) ||
    (words.length === 1 && has(aloneWords)) ||
    (has(amountWords) && has(paidWords)) ||
    has(buyNow) ||
    hasSign
  if (!isNamed && !isCost) return undefined
  if (isCost || has(otherWords)) return { kind: 'never', isWhole: false, isForeign }
  const isWhole = words.every((word) => [nouns, paidWords, listWords, fillers].some((list) => list.has(word)))
  const other = has(paidWords) ? 'paid' : 'price'
  return { kind: has(listWords) ? 'list' : other, isWhole, isForeign }
}
