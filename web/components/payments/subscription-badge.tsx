import { Badge } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { subscriptionColor, subscriptionWords } from '#web/components/account/account-words.ts'

/** How the subscription stands; `about` names it where nothing beside it does. */
export function SubscriptionBadge({ user, about }: { user: User; about?: string }) {
  const words = subscriptionWords(user)
  return <Badge color={subscriptionColor(user)}>{about ? `${about}: ${words}` : words}</Badge>
}
