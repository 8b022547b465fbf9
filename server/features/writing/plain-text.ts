/*
 * Text that strangers typed, made fit for being quoted. What a listing's text can carry besides words: markup, addresses,
 * phones, and characters that no reader sees but a language model does.
 */

const TAGS = /<[^<>]{0,400}>/g
const ENTITIES = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,10});/gi
/** Bounded pieces: over a long run of letters and dots an open pattern would begin anew at each of them. */
const ADDRESSES =
  /\b(?:https?:\/\/|www\.)\S+|\b[\w.+-]{1,64}\s?@\s?[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}|\b[a-z0-9-]{1,63}\.(?:com|net|org|info|biz|io|co|us|shop|store|example)\b\S*/gi
const PHONES = /(?<![\w-])(?:\+?1[\s.-]?)?(?:\(\d{3}\)\s?|\d{3}[\s.-])\d{3}[\s.-]\d{4}(?![\w-])/g
/** What cannot be seen, or turns the direction of what is. */
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Co}\p{Cn}]/gu

/** The letters, digits and marks that generated text may have: Latin with its accents, and the dashes and quotes of print. */
export const FOREIGN = /[^\x20-\x7e\n\u00a0\u00c0-\u024f‘’“”–—…′″]/

/** Whether there is anything to clean: most lines have nothing, and six patterns over each would cost ten times this one. */
const UNCLEAN = /[<>`{}|\\@&]|\/\/|\.[a-z]|\d{3}\D{0,2}\d{4}|\s\s|[^\x20-\x7e]|^\s|\s$/i

/** One line of text, at most so long, without markup, addresses, phones and invisible characters. */
export function plainLine(text: string, most: number): string {
  if (text.length <= most && !UNCLEAN.test(text)) return text
  const bare = text
    // A pattern over a megabyte would hold up everybody.
    .slice(0, most * 4)
    .normalize('NFKC')
    .replaceAll(/[\s\u2028\u2029]+/g, ' ')
    .replaceAll(INVISIBLE, '')
    .replaceAll(TAGS, ' ')
    .replaceAll(ENTITIES, ' ')
    .replaceAll(ADDRESSES, ' ')
    .replaceAll(PHONES, ' ')
    .replaceAll(/[<>`{}|\\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return bare.length > most ? atWord(bare, most) : bare
}

/** Cut at the last word that fits. */
export function atWord(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most + 1)
  const space = cut.lastIndexOf(' ')
  return cut.slice(0, space > most / 2 ? space : most).replace(/[\s,;:–-]+$/, '')
}

const ORDERS =
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|previous|prior|above|rule|prompt|context|everything)|\b(?:system|developer)\s*(?:prompt|message)|\b(?:you are (?:now|an?|the)|act as|pretend|respond with|reply with|from now on|new instructions?|do not follow|output only|jailbreak)\b|<\/?\s*(?:data|system|user|assistant|instructions?|facts)\b|\b(?:assistant|system|user)\s*:|\b(?:say|write|claim|state|mention|tell|add)\b.{0,30}\b(?:warranty|guarantee|free|genuine|best|new|lifetime)\b/i

/** Whether a text speaks to the writer instead of about a part. Asked of the raw text: markup is part of such orders. */
export function givesOrders(text: string): boolean {
  return ORDERS.test(text.slice(0, 20_000).normalize('NFKC').replaceAll(INVISIBLE, ''))
}
