import { Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { conversationEndpoints, type OwnConversation } from '#contract/pages/conversations.ts'
import { call } from '#web/api/client.ts'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { timeAgo } from '#web/components/time-words.ts'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'
import classes from './account.module.css'

/** What the person asked and offered; each opens as from its emails. Nothing without any. */
export function OwnConversations() {
  const navigate = useNavigate()
  const { data } = useQuery({
    queryKey: ['conversations', 'own'],
    queryFn: ({ signal }) => call(conversationEndpoints.listConversations, { signal }),
  })
  const opening = useSingleMutation({
    mutationFn: (id: string) => call(conversationEndpoints.openConversation, { params: { id } }),
    onSuccess: ({ token }) => navigate(paths.messages, { state: { token } }),
    onError: (error) => notifyError(error, 'This conversation could not be opened. Please try again.'),
  })
  if (!data || data.items.length === 0) return null
  return (
    <SectionCard title="Messages and offers">
      <ul className={classes.list} aria-label="Messages and offers">
        {data.items.map((one) => (
          <li key={one.id}>
            <UnstyledButton onClick={() => opening.mutate(one.id)} disabled={opening.isPending}>
              <Text fw={600} td="underline">
                {one.title}
              </Text>
              <Text size="sm" className="second">
                {one.sellerName} · {lastWords(one)} · {timeAgo(one.last.createdAt, new Date())}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}

function lastWords({ last: { kind, from, price, currency }, payable, sellerName }: OwnConversation): string {
  const who = from === 'buyer' ? 'You' : sellerName
  const amount = price === null || currency === null ? '' : ` ${formatPrice(price, currency)}`
  if (payable) return `Agreed:${amount}, pay to get it`
  const said = {
    text: 'wrote',
    offer: `offered${amount}`,
    accept: `accepted${amount}`,
    decline: `declined${amount}`,
  }
  return kind === 'sold' ? 'Sold' : `${who} ${said[kind]}`
}
