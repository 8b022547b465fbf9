import { Badge } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { connectColor, statusWords } from '#web/components/account/account-words.ts'

/** How the payout account stands; `about` names it where nothing beside it does. */
export function ConnectBadge({ user: { connectStatus }, about }: { user: User; about?: string }) {
  const words = statusWords(connectStatus)
  return <Badge color={connectColor(connectStatus)}>{about ? `${about}: ${words}` : words}</Badge>
}
