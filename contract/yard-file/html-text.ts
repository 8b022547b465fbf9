/** Elements that end a line of text. */
export const LINE_TAGS = /^(br|p|div|li|tr|h[1-6]|table|ul|ol)$/

/** HTML's names for the characters from U+00A1 to U+00FF, in order. */
const LATIN =
  `iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro
  para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave
  Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml
  Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth
  ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(
    /\s+/,
  )

/** The others that people and shops write. */
const OTHERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  lsaquo: '‹',
  rsaquo: '›',
  hellip: '…',
  bull: '•',
  trade: '™',
  euro: '€',
  prime: '′',
  Prime: '″',
  minus: '−',
  le: '≤',
  ge: '≥',
  ne: '≠',
  asymp: '≈',
  larr: '←',
  rarr: '→',
  uarr: '↑',
  darr: '↓',
  check: '✓',
  OElig: 'Œ',
  oelig: 'œ',
  Omega: 'Ω',
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['nbsp', ' '],
  ...['ensp', 'emsp', 'thinsp'].map((name): [string, string] => [name, ' ']),
  ...LATIN.map((name, at): [string, string] => [name, String.fromCodePoint(0xa1 + at)]),
  ...Object.entries(OTHERS),
])

const ENTITY = /&(#?\w{1,8});/g

/** HTML's escapes as the characters they mean. */
export const plainEntities = (html: string): string =>
  html.includes('&') ? html.replaceAll(ENTITY, entity) : html

function entity(whole: string, name: string): string {
  const number = /^#x([0-9a-f]{1,6})$/i.exec(name)?.[1]
  const point = number === undefined ? Number(/^#(\d{1,7})$/.exec(name)?.[1]) : Number.parseInt(number, 16)
  // Excludes control characters and halves of surrogate pairs, which must not get into a text.
  const isLetter = point >= 32 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
  return isLetter
    ? String.fromCodePoint(point)
    : (ENTITIES.get(name) ?? ENTITIES.get(name.toLowerCase()) ?? whole)
}

/*
 * Matches only HTML elements: a seller's "<m8 and >10 mm" stays. A one-letter element has attributes or nothing, since
 * "<a b>" could be words. Linear over any text: nothing in a tag is tried twice.
 */
const LINE_ELEMENT =
  'br|p|div|li|tr|h[1-6]|table|ul|ol|hr|dl|dt|dd|pre|blockquote|center|section|article|header|footer'
const INLINE_ELEMENT = 'b|i|u|s|em|strong|font|small|big|sub|sup|mark|ins|del|span|a|q|tt|wbr'
const OTHER_ELEMENT =
  'html|head|body|title|meta|link|base|img|td|th|tbody|thead|tfoot|caption|col|colgroup|abbr|code|kbd|nobr|main|nav|aside|form|input|button|select|option|textarea|label|fieldset|iframe|frame|frameset|noscript|object|embed|param|video|audio|source|svg|path|map|area|marquee|style|script|figure|figcaption|picture|address|strike|cite|details|summary|[a-z]{1,10}:[a-z]{1,20}'
const tag = (names: string) =>
  `<\\/?(?:(?=[a-z][\\s/>=])(?:${names})(?:\\s[^<>=]*=[^<>]*|\\s*\\/?)|(?=[a-z][^\\s/>])(?:${names})(?:[\\s/][^<>]*)?)>`
const LINE_TAG = new RegExp(tag(LINE_ELEMENT), 'gi')
const INLINE_TAG = new RegExp(tag(INLINE_ELEMENT), 'gi')
const ANY_TAG = new RegExp(
  `${tag(`${LINE_ELEMENT}|${INLINE_ELEMENT}|${OTHER_ELEMENT}`)}|<!doctype[^<>]*>`,
  'gi',
)
const NOT_SHOWN = /<!--[\s\S]*?(-->|$)|<(style|script)\b[\s\S]*?(<\/\2\s*>|$)/gi

/** Some programs escape text again that was already escaped; no description has more layers than this. */
const MAX_LAYERS = 8

/** The words of an HTML text, a line for each paragraph; text without tags and escapes stays as it is. */
export function textOfHtml(html: string): string {
  let text = html
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    if (!text.includes('<') && !text.includes('&')) return text
    const plain = withoutTags(text)
    const words = plainEntities(plain)
    if (words === text) return text
    text = plain === text ? words : words.trim()
  }
  return text
}

/** Removed only if it has an end tag: "<head light>" is a seller's text. */
function withoutHead(html: string): string {
  const start = html.search(/<head(?:\s[^<>]*)?>/i)
  const end = start === -1 ? -1 : html.toLowerCase().lastIndexOf('</head>')
  return end > start ? html.slice(0, start) + html.slice(end + '</head>'.length) : html
}

function withoutTags(html: string): string {
  const shown = withoutHead(html).replaceAll(NOT_SHOWN, '')
  // In HTML only tags end lines; plain text with a bold word in it has its own lines.
  const hasLines = shown.search(LINE_TAG) !== -1
  const lines = hasLines ? shown.replaceAll(/\s+/g, ' ').replaceAll(LINE_TAG, '\n') : shown
  const plain = lines.replaceAll(INLINE_TAG, '').replaceAll(ANY_TAG, ' ')
  if (plain === html) return html
  const spaced = plain.replaceAll(/&nbsp;/gi, ' ').replaceAll(/[ \t\u00a0]+/g, ' ')
  return spaced.replaceAll(hasLines ? / ?\n[ \n]*/g : / ?\n ?/g, '\n').trim()
}

/** Whether the beginning of a file is a web page. */
export const isHtml = (letters: string): boolean =>
  /^(\xef\xbb\xbf)?\s*(<!--.*?-->\s*|<\?xml[^>]*\?>\s*)*<(!doctype html|html|head|body|meta|table|div|style)[\s>]/is.test(
    letters,
  )
