const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

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
    .replaceAll(/&(#?\w{1,8});/g, entity)
    .replaceAll(/[ \t\u00a0]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim()
}
