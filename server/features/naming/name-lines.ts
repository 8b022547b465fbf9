import type { NameReview } from './review-names.ts'

/** What is printed about a name that is not as it should be. */
export function nameLines({ record, decision, problem, isSkipped }: NameReview): string[] {
  if (isSkipped) return []
  const make = record.manufacturer === null ? '' : `${record.manufacturer} `
  const name = `${make}${record.name}`
  const open = problem === undefined ? [] : [`  not done: ${problem}`]
  switch (decision.kind) {
    case 'keep':
      return []
    case 'rename':
      return [`- ${name}`, `+ ${make}${decision.name}`, ...open]
    case 'merge':
      return [`- ${name}`, `+ ${make}${decision.into.name} (merged: ${decision.why})`, ...open]
    case 'ask': {
      const candidates = decision.candidates.map((each) => `${each.name} (${each.confidence})`).join(', ')
      return [`? ${name}: ${decision.reason}${candidates === '' ? '' : ` Candidates: ${candidates}`}`]
    }
  }
}
