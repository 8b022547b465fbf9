import type { PublicSeller } from '#contract/pages/sellers.ts'
import { policyKinds, policyLabels } from '#contract/pages/yard-words.ts'

/** "an hour", "5 hours", "2 days": rounded up, so that nobody is promised too much. */
export function waitOf(hours: number): string {
  if (hours <= 1) return 'an hour'
  if (hours <= 24) return `${Math.ceil(hours)} hours`
  return `${Math.ceil(hours / 24)} days`
}

/** Shipping, returns and warranty in the seller's words; leaves out what the seller did not fill in. */
export function PolicyTexts({
  policy,
  className,
}: Pick<PublicSeller, 'policy'> & { className?: string | undefined }) {
  const given = policyKinds.filter((kind) => policy[kind])
  if (given.length === 0) return null
  return (
    <dl className={className}>
      {given.map((kind) => (
        <div key={kind}>
          <dt>{policyLabels[kind]}</dt>
          <dd>{policy[kind]}</dd>
        </div>
      ))}
    </dl>
  )
}
