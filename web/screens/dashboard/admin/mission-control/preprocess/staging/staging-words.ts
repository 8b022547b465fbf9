import type { StagingPlan, StagingState } from '#contract/staging.ts'

export const stateColors: Record<StagingState, string> = {
  staged: 'gray',
  resolved: 'sea',
  promoted: 'warning',
  live: 'good',
  'rolled back': 'bad',
}

const planStates: Record<StagingPlan['state'], [label: string, color: string]> = {
  planning: ['Being planned', 'sea'],
  planned: ['Ready to promote', 'warning'],
  review: ['Needs your answer', 'warning'],
  applying: ['Going live', 'sea'],
  applied: ['Live', 'good'],
  undoing: ['Being taken back', 'sea'],
  undone: ['Taken back', 'gray'],
  failed: ['Failed', 'bad'],
}

export const planStateWords = (state: StagingPlan['state']): { label: string; color: string } => {
  const [label, color] = planStates[state]
  return { label, color }
}

/** Waits for somebody to let it through. */
export const isOpenPlan = ({ state }: Pick<StagingPlan, 'state'>): boolean =>
  state === 'planned' || state === 'review'
