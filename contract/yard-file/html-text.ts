/** Elements that end a line of text. */
export const LINE_TAGS = /^(br|p|div|li|tr|h[1-6]|table|ul|ol)$/

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

const ENTITY = /&(#?\w{1,8});/g

/** HTML's escapes as the characters they mean. */
export const plainEntities = (html: string): string =>
  html.includes('&') ? html.replaceAll(ENTITY, entity) : html

function entity(whole: string, name: string): string {
  const number = /^#x([0-9a-f]{1,6})$/i.exec(name)?.[1]
  const point = number === undefined ? Number(/^#(\d{1,7})$/.exec(name)?.[1]) : Number.parseInt(number, 16)
  // Without control characters and halves of pairs, which nothing may be made of.
  const isLetter = point >= 32 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
  return isLetter ? String.fromCodePoint(point) : (ENTITIES[name.toLowerCase()] ?? whole)
}

/** The words of an HTML description, a line for each paragraph; text without tags stays as it is. */
export function textOfHtml(html: string): string {
  if (!/<[a-z!/]|&(#\w+|[a-z]+);/i.test(html)) return html
  return html
    .replaceAll(/<!--[\s\S]*?(-->|$)/g, '')
    .replaceAll(/<(style|script|head)\b[\s\S]*?(<\/\1\s*>|$)/gi, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(br|\/?(p|div|li|tr|h[1-6]|table|ul|ol))\b[^<>]*>/gi, '\n')
    .replaceAll(/<[a-z!/][^<>]*>/gi, ' ')
    .replaceAll(ENTITY, entity)
    .replaceAll(/[ \t\u00a0]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** Whether the beginning of a file is a web page. */
export const isHtml = (letters: string): boolean =>
  /^(\xef\xbb\xbf)?\s*(<!--.*?-->\s*|<\?xml[^>]*\?>\s*)*<(!doctype html|html|head|body|meta|table|div|style)[\s>]/is.test(
    letters,
  )
