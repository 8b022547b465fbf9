import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { User } from '#contract/account/accounts.ts'
import { type Amount, billingEndpoints } from '#contract/account/billing.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import { call } from '#web/api/client.ts'
import { errorSentence } from '#web/api/failures.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import classes from './balance-card.module.css'

/**
 * Available and pending amounts. If Stripe is unreachable the card shows an error instead of the last amounts, because
 * the money may have moved since.
 */
export function BalanceCard({ user, actions }: { user: User; actions?: ReactNode }) {
  const balance = useBalance(user.id)
  return (
    <SectionCard title="Balance">
      {balance.isError ? (
        <BalanceUnavailable
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
          Your balance appears here once your payout account is set up.
        </Text>
      )}
      {actions}
    </SectionCard>
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

type BalanceUnavailableProps = { message: string; retrying: boolean; onRetry: () => void }

function BalanceUnavailable({ message, retrying, onRetry }: BalanceUnavailableProps) {
  return (
    <Group justify="space-between" className={classes.outOfReach} role="alert">
      <div>
        <Text fw={600}>{message}</Text>
        <Text size="sm" className="second">
          Stripe is not responding right now. Your money is safe.
        </Text>
      </div>
      <Button variant="default" onClick={onRetry} loading={retrying}>
        Retry
      </Button>
    </Group>
  )
}

/** No retry here: the server has already retried before it reports Stripe as unreachable. */
function useBalance(userId: string) {
  return useQuery({
    queryKey: ['balance', userId],
    queryFn: ({ signal }) => call(billingEndpoints.readBalance, { signal }),
    retry: false,
    staleTime: 60_000,
  })
}

/** Minor units divided by 100, in en-US currency format. */
export function formatMinorUnits({ amount, currency }: Amount): string {
  return moneyInWords(amount, currency)
}

const nothing: Amount = { amount: 0, currency: 'usd' }

/** One text per currency. An empty balance is zero dollars. */
export function amountsInWords(amounts: Amount[]): string[] {
  return (amounts.length === 0 ? [nothing] : amounts).map(formatMinorUnits)
}
