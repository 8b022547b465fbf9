import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import type { Amount } from '#contract/billing.ts'
import { errorSentence } from '#web/api/failures.ts'
import classes from './balance-card.module.css'
import { amountsInWords } from './money.ts'
import { useBalance } from './use-balance.ts'

/**
 * Available and pending; where the provider is out of reach the card says so, and the page goes on without it. Amounts
 * read before do not stay: money that may have moved since is not shown as if it were there.
 */
export function BalanceCard({ user, actions }: { user: User; actions?: ReactNode }) {
  const balance = useBalance(user.id)
  return (
    <Card component="section" aria-labelledby="balance">
      <Stack gap="md">
        <Title order={2} size="h3" id="balance">
          Balance
        </Title>
        {balance.isError ? (
          <OutOfReach
            message={errorSentence(balance.error, 'Unable to fetch Stripe balance')}
            retrying={balance.isFetching}
            onRetry={() => void balance.refetch()}
          />
        ) : (
          <dl className={classes.amounts} aria-busy={balance.isPending}>
            <Amounts name="Available" amounts={balance.data?.available} />
            <Amounts name="Pending" amounts={balance.data?.pending} />
          </dl>
        )}
        {balance.data && user.connectStatus === 'NOT_STARTED' && (
          <Text size="sm" className="second">
            Money shows up here once your payout account is set up.
          </Text>
        )}
        {actions}
      </Stack>
    </Card>
  )
}

function Amounts({ name, amounts }: { name: string; amounts: Amount[] | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      {amounts === undefined ? (
        <dd>
          <Skeleton height="1.75rem" width="7rem" />
        </dd>
      ) : (
        amountsInWords(amounts).map((words) => (
          <dd key={words} className="display">
            {words}
          </dd>
        ))
      )}
    </div>
  )
}

type OutOfReachProps = { message: string; retrying: boolean; onRetry: () => void }

function OutOfReach({ message, retrying, onRetry }: OutOfReachProps) {
  return (
    <Group justify="space-between" className={classes.outOfReach} role="alert">
      <div>
        <Text fw={600}>{message}</Text>
        <Text size="sm" className="second">
          Stripe is not responding at the moment. Nothing is lost.
        </Text>
      </div>
      <Button variant="default" onClick={onRetry} loading={retrying}>
        Retry
      </Button>
    </Group>
  )
}
