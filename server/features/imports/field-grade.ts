import type { Grade } from '#contract/listing-rules.ts'
import type { ReadValue } from './field-text.ts'
import type { ValueProblem } from './row-issue.ts'

const words: Readonly<Record<Grade, readonly string[]>> = {
  A: ['excellent', 'mint', 'near mint', 'perfect', 'new', 'brand new', 'like new'],
  B: ['good', 'very good', 'above average'],
  C: ['fair', 'average', 'ok', 'okay', 'acceptable'],
  D: ['poor', 'bad', 'rough', 'damaged', 'for parts'],
}
const gradeOfWord = new Map(
  (Object.entries(words) as [Grade, readonly string[]][]).flatMap(([grade, of]) =>
    of.map((word) => [word, grade] as const),
  ),
)

const problem: ValueProblem = { code: 'INVALID_GRADE', message: 'Grade is A, B, C or D' }
const damageCode: ValueProblem = {
  code: 'INVALID_GRADE',
  message:
    'Grade is A, B, C or D; this looks like a damage code. Match the column of the grade, or give a grade for the file',
}

/** "B+", "Grade B", "b", "good" and "B (good)" are B. */
export const gradeReader: ReadValue = (text) => {
  if (text.length > 40) return problem
  const plain = text.toUpperCase()
  if (LETTER.test(plain)) return plain
  const bare = text.replace(AROUND, '').trim()
  const [, letter = '', word] = GRADE.exec(bare) ?? []
  const grade = letter.toUpperCase()
  if (grade !== '' && (word === undefined || gradeOfWord.get(word.toLowerCase()) === grade)) return grade
  return gradeOfWord.get(bare.toLowerCase()) ?? (DAMAGE.test(text) ? damageCode : problem)
}

const LETTER = /^[A-D]$/
const AROUND = /^(?:part )?(?:grade|condition|cond\.?)\b\s*[:-]?|\b(?:grade|condition)$/gi
const GRADE = /^([A-D])(?:\s?[-+–−]|\s*[-–:(]\s*([a-z ]+)\)?)?$/i
/** Of the recyclers' association: where, what and how much, such as 3B1. */
const DAMAGE = /^(?:000|\d[A-Z]\d(?:\W+\d[A-Z]\d)*)$/i
