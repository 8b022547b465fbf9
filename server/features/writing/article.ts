// Letters whose names begin with a vowel: an F150, an RX, an MKZ.
const VOWEL_NAMES = /^[aefhilmnorsx]/i

/** "a" or "an", by how the first word of a phrase is said. */
export function articleFor(phrase: string): 'a' | 'an' {
  const word = /^[\w/&.-]+/.exec(phrase)?.[0] ?? phrase
  return soundsLikeVowel(word) ? 'an' : 'a'
}

function soundsLikeVowel(word: string): boolean {
  // eight, eighteen, eighty, and 11 or 18 alone, not 110 or 180; a year such as 1812 is "eighteen twelve".
  if (/^\d/.test(word)) return /^8|^1[18](?:\D|\d\d\D|\d\d$|$)/.test(word)
  if (isSpelt(word)) return VOWEL_NAMES.test(word)
  if (/^(?:hour|honest|heir)/i.test(word)) return true
  if (/^(?:uni|use|usu|eu|ew|one|once|ubi|util|ukr)/i.test(word) && !/^unin/i.test(word)) return false
  return /^[aeiou]/i.test(word)
}

/** Whether it is said letter by letter: "ABS", "F150", "A/C", "CV", "X5". */
const isSpelt = (word: string) =>
  /^[A-Z](?:[/\d-]|$)/.test(word) || (/^[A-Z]{2,4}(?![a-z])/.test(word) && !SAID.test(word))

/** Abbreviations that are said as words. */
const SAID = /^(?:RAM|JUKE|LEAF|MINI|MAZDA|FIAT|SAAB|SMART|NEXO|HUMMER|VUE|SKY|LYRIQ|OPTIQ|ION)\b/i
