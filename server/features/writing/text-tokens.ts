/** A word or number of a text. */
export type Token = {
  /** As written. */
  readonly text: string
  /** Its letters and digits alone, small: "F-150" is "f150". */
  readonly key: string
  readonly start: number
  readonly end: number
  readonly kind: 'word' | 'number' | 'mixed'
  /** Whether it has a capital letter. */
  readonly capital: boolean
  readonly startsSentence: boolean
}

const LETTER = 1
const CAPITAL = 2
const DIGIT = 4

/** What each character is; letters beyond the accented Latin ones count as none, and other rules refuse them. */
const classes = new Uint8Array(0x1_0000)
for (let code = 0; code < 0x250; code += 1) {
  const char = String.fromCharCode(code)
  if (char >= '0' && char <= '9') classes[code] = DIGIT
  else if (/\p{L}/u.test(char)) classes[code] = char === char.toLowerCase() ? LETTER : LETTER | CAPITAL
}
/** Never asked beyond the end: a look there costs ten times one within. */
const classAt = (text: string, at: number): number =>
  at < text.length ? (classes[text.charCodeAt(at)] ?? 0) : 0

const [COMMA, DOT, HYPHEN, SLASH, APOSTROPHE, QUOTE] = [44, 46, 45, 47, 39, 0x2019]

/**
 * Whether a mark holds together what stands around it: "1,234.50", "F-150", "A/C", "dealer's". Between digits a hyphen
 * parts, as in "2012-2015"; so does a slash.
 */
function joins(code: number, before: number, after: number): boolean {
  if (after === 0) return false
  if (code === COMMA || code === DOT) return before === DIGIT && after === DIGIT
  if (code === HYPHEN || code === SLASH) return !(before === DIGIT && after === DIGIT)
  return (code === APOSTROPHE || code === QUOTE) && before !== DIGIT && after !== DIGIT
}

/** The words and numbers of a text in one pass over its characters: patterns take three times as long. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let startsSentence = true
  let at = 0
  while (at < text.length) {
    const begin = classAt(text, at)
    if (begin === 0) {
      if (endsSentence(text.charCodeAt(at))) startsSentence = true
      at += 1
      continue
    }
    const token = tokenAt(text, at, startsSentence)
    tokens.push(token)
    startsSentence = false
    at = token.end
  }
  return tokens
}

const endsSentence = (code: number) => code === DOT || code === 33 || code === 63 || code === 10

function tokenAt(text: string, start: number, startsSentence: boolean): Token {
  let seen = 0
  let marks = false
  let end = start
  for (let before = 0; end < text.length; end += 1) {
    const found = classAt(text, end)
    if (found !== 0) {
      seen |= found
      before = found
      continue
    }
    if (!joins(text.charCodeAt(end), before, classAt(text, end + 1))) break
    marks = true
  }
  const written = text.slice(start, end)
  const small = (seen & CAPITAL) === 0 ? written : written.toLowerCase()
  const key = marks ? small.replaceAll(/[,.'’/-]/g, '') : small
  return {
    text: written,
    key,
    start,
    end,
    kind: kindOf(seen),
    capital: (seen & CAPITAL) !== 0,
    startsSentence,
  }
}

function kindOf(seen: number): Token['kind'] {
  if ((seen & DIGIT) === 0) return 'word'
  return (seen & LETTER) === 0 ? 'number' : 'mixed'
}
