import type { StagingPlan } from '#contract/staging.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { formatCount } from '#web/components/imports/import-words.ts'
import { momentWords } from '#web/components/time-words.ts'

/** What has been done, by whom and when; nothing while nothing was. */
export function PlanReceipt({ plan: { receipt } }: { plan: StagingPlan }) {
  const { created, updated, ended, undone, leftAsIs, approvedBy, appliedAt, undoneAt } = receipt
  if (appliedAt === null && undoneAt === null && created + updated + ended === 0) return null
  const facts = [
    { name: 'Created', value: formatCount(created) },
    { name: 'Updated', value: formatCount(updated) },
    { name: 'Ended', value: formatCount(ended) },
    ...(undone > 0 || undoneAt !== null ? [{ name: 'Taken back', value: formatCount(undone) }] : []),
    ...(leftAsIs > 0 ? [{ name: 'Left as they were', value: formatCount(leftAsIs) }] : []),
    ...(approvedBy === null ? [] : [{ name: 'Approved by', value: approvedBy }]),
    ...(appliedAt === null ? [] : [{ name: 'Live since', value: momentWords(appliedAt) }]),
    ...(undoneAt === null ? [] : [{ name: 'Taken back on', value: momentWords(undoneAt) }]),
  ]
  return (
    <section aria-label="Receipt">
      <Facts facts={facts} />
    </section>
  )
}
