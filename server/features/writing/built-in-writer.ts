import { anchorOf } from './anchor.ts'
import { type Checking, checkedLanding, checkedText } from './checked-text.ts'
import { describePart } from './description.ts'
import { headingOf } from './heading.ts'
import { landingOf } from './landing.ts'
import { checkProposal, proposedName } from './name-proposal.ts'
import { NOTHING_SPENT } from './spent.ts'
import { supportOfAnchor, supportOfLanding, supportOfPart } from './support.ts'
import type { Writer } from './writer.ts'

/** Writes by the rules of this folder: no network, no cost, the same facts always the same text. */
export function builtInWriter(checking: Checking): Writer {
  return {
    name: 'built-in',
    writeHeading: async (facts) =>
      checkedText(headingOf(facts), { support: supportOfPart(facts), kind: 'heading' }, checking),
    writeDescription: async (facts) =>
      checkedText(describePart(facts), { support: supportOfPart(facts), kind: 'description' }, checking),
    writeLanding: async (facts) => checkedLanding(landingOf(facts), supportOfLanding(facts), checking),
    writeAnchor: async (facts) =>
      checkedText(anchorOf(facts), { support: supportOfAnchor(facts), kind: 'anchor' }, checking),
    proposeName: async (question) => checkProposal(proposedName(question).name, question),
    spent: () => NOTHING_SPENT,
  }
}
