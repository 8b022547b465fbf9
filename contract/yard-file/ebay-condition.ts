/**
 * eBay's conditions as our grades: A excellent, B mint, C fair, D bad. Never a better grade than eBay's own words promise:
 * “Used” says that the part works and shows wear, so it is C.
 */
const conditions: readonly [id: string, grade: 'A' | 'B' | 'C' | 'D', ...words: string[]][] = [
  ['1000', 'A', 'new', 'brand new', 'new with tags', 'new with box'],
  ['1500', 'A', 'new other', 'new other (see details)', 'open box', 'new without tags', 'new without box'],
  ['1750', 'B', 'new with defects', 'new with imperfections'],
  [
    '2000',
    'B',
    'certified refurbished',
    'certified - refurbished',
    'manufacturer refurbished',
    'remanufactured',
  ],
  ['2010', 'B', 'excellent - refurbished'],
  ['2020', 'B', 'very good - refurbished'],
  ['2030', 'B', 'good - refurbished'],
  ['2500', 'B', 'seller refurbished', 'refurbished'],
  ['2750', 'B', 'like new'],
  ['2990', 'B', 'pre-owned - excellent'],
  ['3000', 'C', 'used', 'pre-owned', 'pre-owned - good'],
  ['3010', 'C', 'pre-owned - fair'],
  ['4000', 'C', 'very good'],
  ['5000', 'C', 'good'],
  ['6000', 'D', 'acceptable'],
  ['7000', 'D', 'for parts or not working', 'for parts', 'not working'],
]

const grades = new Map(
  conditions.flatMap(([id, grade, ...words]) => [id, ...words].map((word) => [word, grade])),
)

/** The grade of a “Condition ID” or “Condition”, such as 3000, "3000-Used" or "Used"; '' for one that eBay does not have. */
export function gradeFromCondition(condition: string): string {
  const said = condition.trim().toLowerCase().replaceAll(/[–—]/g, '-').replaceAll(/\s+/g, ' ')
  const id = /^(\d{4})\b/.exec(said)?.[1]
  return grades.get(id ?? said) ?? ''
}
