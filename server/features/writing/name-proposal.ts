import type { NameQuestion, Problem, ProposedName, Written } from './writer.ts'

/** Letters and digits alone: what two spellings of one name have in common. */
const nameLetters = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Names that the trade shortens, as letters: the short way, then the whole name's letters. */
const shortNames = new Map(
  `chevy chevrolet;chev chevrolet;vw volkswagen;volkswagon volkswagen;merc mercedesbenz;mercedes mercedesbenz;
   mb mercedesbenz;benz mercedesbenz;bimmer bmw;caddy cadillac;olds oldsmobile;landrover landrover;toyo toyota;
   mitsu mitsubishi;subie subaru;lambo lamborghini;infinity infiniti;hundai hyundai;hyundia hyundai;porche porsche;
   nisan nissan;dodgeram ram;alfa alfaromeo;aston astonmartin;rolls rollsroyce`
    .split(';')
    .map((entry) => entry.trim().split(' ') as [string, string]),
)

/** The candidate that a name means beyond doubt, or its own better spelling; by rules alone, so never a guess. */
export function proposedName({ kind, name, candidates }: NameQuestion): ProposedName {
  const letters = nameLetters(name)
  const wanted = [letters, kind === 'manufacturer' ? shortNames.get(letters) : undefined]
  const found = candidates.find((candidate) => wanted.includes(nameLetters(candidate)))
  if (found !== undefined) return { name: found, known: true }
  return { name: wellSpelt(name), known: false }
}

/** Said letter by letter, or written so by their makers. */
const CAPITALS =
  /^(?:[A-Z]{1,3}\d*|[A-Z]+\d[\w-]*|\d\w*|ABS|EGR|DEF|BMW|GMC|SRT|FIAT|MAZDA\d*|MINI|INFINITI|HUMMER)$/

function wellSpelt(name: string): string {
  const plain = name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim()
  const isLoud = plain === plain.toUpperCase() && /[A-Z]{4}/.test(plain)
  const isQuiet = plain === plain.toLowerCase()
  if (!isLoud && !isQuiet) return plain
  return plain
    .split(' ')
    .map((word) => (isLoud && CAPITALS.test(word) ? word : titled(word)))
    .join(' ')
}

const titled = (word: string) =>
  word
    .toLowerCase()
    .replaceAll(/(^|[-/&])(\p{L})/gu, (_, mark: string, letter: string) => mark + letter.toUpperCase())

/** A proposal is one of the candidates, or the very letters of the name: a writer may choose and spell, not invent. */
export function checkProposal(proposed: string, question: NameQuestion): Written<ProposedName> {
  if (question.candidates.includes(proposed)) return { ok: true, text: { name: proposed, known: true } }
  if (nameLetters(proposed) === nameLetters(question.name) && proposed.length <= MOST_LETTERS) {
    return { ok: true, text: { name: proposed.trim().replaceAll(/\s+/g, ' '), known: false } }
  }
  const problem: Problem = {
    claim: proposed.slice(0, MOST_LETTERS),
    why: 'is neither a candidate nor the name itself',
  }
  return { ok: false, problems: [problem], refused: { name: proposed, known: false } }
}

const MOST_LETTERS = 80
