import {
  MOST_NEW_NAME_ROWS,
  MOST_NEW_NAMES,
  type NewNameFigures,
  tooManyNew,
} from '#server/features/lookups/new-name-limit.ts'
import type { ReviewReason } from './promotion-state.ts'

/** What a plan found, as far as it decides whether somebody has to look. */
export type PlanFigures = NewNameFigures & {
  readonly toEnd: number
  /** The seller's parts that came from files and are live. */
  readonly liveSourced: number
  /** Rows of the file of which nobody can say which part they are. */
  readonly unreadRows: number
}

const MOST_ENDINGS = 0.2

const number = (value: number) => value.toLocaleString('en-US')
const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1).replace(/\.0$/, '')} %`

/** Why this plan waits for somebody; none when it may go on. */
export function reviewReasons(plan: PlanFigures): ReviewReason[] {
  const { rows, newNames, rowsWithNewNames, toEnd, liveSourced, unreadRows } = plan
  const reasons: ReviewReason[] = []
  const tooMany = tooManyNew(plan)
  if (tooMany.names) {
    reasons.push({
      code: 'new-names',
      message: `${number(newNames)} names of categories, manufacturers or models are new; an administrator looks at more than ${MOST_NEW_NAMES}.`,
    })
  }
  if (tooMany.rows) {
    reasons.push({
      code: 'new-name-rows',
      message: `${number(rowsWithNewNames)} of ${number(rows)} rows (${percent(rowsWithNewNames, rows)}) have a category, manufacturer or model that is new; an administrator looks at more than ${MOST_NEW_NAME_ROWS} %.`,
    })
  }
  if (toEnd > liveSourced * MOST_ENDINGS) {
    reasons.push({
      code: 'endings',
      message: `${number(toEnd)} of ${number(liveSourced)} live parts (${percent(toEnd, liveSourced)}) are not in this file and would end as sold elsewhere; more than 20 % need a second look.`,
    })
  } else if (toEnd > 0 && unreadRows > 0) {
    reasons.push({
      code: 'endings',
      message: `${number(toEnd)} live parts are not in this file and would end as sold elsewhere, but ${number(unreadRows)} of its rows could not be read: those parts may be among them.`,
    })
  }
  return reasons
}

export type Approval = {
  /** Somebody let it through before this plan was made. */
  readonly approved: boolean
  /** Endings of the plan that they had seen; 0 where there was none. */
  readonly endingsSeen: number
  /** The seller is trusted, or nobody reviews imports here. */
  readonly byItself: boolean
}

/** Whether a plan that was just made goes live, waits for an administrator, or asks a question. */
export function afterPlanning(
  reasons: readonly ReviewReason[],
  toEnd: number,
  approval: Approval,
): 'apply' | 'wait' | 'review' {
  const endsMoreThanSeen = reasons.some(({ code }) => code === 'endings') && toEnd > approval.endingsSeen
  if (approval.approved) return endsMoreThanSeen ? 'review' : 'apply'
  if (reasons.length > 0) return 'review'
  return approval.byItself ? 'apply' : 'wait'
}
