import { type Random, seededRandom } from '#server/platform/seeded-random.ts'

/* Words as nobody should type them: what quotes, escapes, operators or patterns mean to some language, within real words. */

const WORDS = [
  'alternatr',
  'altenator',
  'dont',
  'fit',
  'camry',
  'hondacivic',
  'f150',
  'fk1z',
  '10346',
  '2014',
  'or',
  'not',
  'cafe',
  'Łódź',
  'ſs',
  'ﬁlter',
  '車',
]
const ODD = [
  ...'\'"`\\%_&|!()<>*:;,.?+-=~^$#@{}[]/’‘“”ʼ＇＼：＊\t\n\r\u0001\u001f\u007f\u0085\u00ad\u200b\u202e\ufeff\u0301\u{1f697}',
  "''",
  '\\\\',
  "\\'",
  ':*',
  '<->',
  '<2>',
  '&!',
  ' | ',
  '--',
  '/*',
  '::tsquery',
  '$1',
]

function oddWord(random: Random): string {
  const word = random.pick(WORDS)
  const at = random.whole(0, word.length)
  const inside = word.slice(0, at) + random.pick(ODD) + word.slice(at)
  return random.chance(0.3) ? random.pick(ODD) + inside + random.pick(ODD) : inside
}

/** The same words for the same seed. */
export function oddWords(seed: string, count: number): string[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => oddWord(random))
}
