import { Alert, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type OwnPayouts, type PayoutState, releaseEndpoints } from '#contract/order/money/release-views.ts'
import { dayInWords } from '#contract/order/order-words.ts'
import { call } from '#web/api/client.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { TextLink } from '#web/components/links.tsx'
import { dollars } from '#web/components/orders/order-facts.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page, Trail } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { useOpenPayoutSettings } from '#web/components/payments/account-actions.ts'
import { PaymentButton } from '#web/components/payments/payment-buttons.tsx'
import { paths } from '#web/paths.ts'
import classes from './payouts.module.css'

/** The yard's money: what waits and when it comes, what was transferred, what the bank got. */
export function Component() {
  const payouts = useQuery({
    queryKey: ['payouts'],
    queryFn: ({ signal }) => call(releaseEndpoints.readPayouts, { signal }),
  })
  return (
    <Page
      title="Payouts"
      lead="When you get the money of your sales, and what your bank got so far."
      actions={<PaymentButton action={useOpenPayoutSettings()}>Open Payout Settings</PaymentButton>}
    >
      <Trail links={[{ to: paths.sellerOrders, label: 'Orders' }]} here="Payouts" />
      <Loaded
        query={payouts}
        failure="Unable to load your payouts"
        waiting={<Skeleton height={240} radius="lg" role="status" aria-label="Loading your payouts…" />}
      >
        {(loaded) => <Payouts payouts={loaded} />}
      </Loaded>
    </Page>
  )
}

function Payouts({ payouts }: { payouts: OwnPayouts }) {
  const { canTransfer, waiting, waitingTotal, debt, transferred, standing } = payouts
  return (
    <Stack gap="lg">
      {!canTransfer && waiting.length > 0 && (
        <Alert color="warning" variant="light" title="Your Stripe account cannot receive money yet">
          Open your payout settings and finish what Stripe asks for. Your money waits for you until then.
        </Alert>
      )}
      <SectionCard
        title="Your money"
        lead={`We release it ${standing.days} days after delivery, because ${standing.because}.`}
      >
        <Facts
          facts={[
            { name: 'Waiting to be released', value: dollars(waitingTotal) },
            { name: 'In your Stripe account, for your next payout', value: dollars(transferred) },
            ...(debt > 0 ? [{ name: 'You owe, kept of your next sales', value: dollars(debt) }] : []),
          ]}
        />
      </SectionCard>
      <Waiting waiting={waiting} />
      <Paid payouts={payouts} />
    </Stack>
  )
}

function Waiting({ waiting }: Pick<OwnPayouts, 'waiting'>) {
  return (
    <SectionCard title="Waiting">
      {waiting.length === 0 ? (
        <Text className="second">Nothing waits. Your next sale appears here.</Text>
      ) : (
        <ul className={classes.rows}>
          {waiting.map(({ id, number, title, amount, sentence }) => (
            <li key={id}>
              <span>
                <TextLink to={paths.sellerOrder(id)} fw={650}>
                  {number}
                </TextLink>{' '}
                {title}
                <Text size="sm" className="second">
                  {sentence}
                </Text>
              </span>
              <strong>{dollars(amount)}</strong>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  )
}

const stateWords: Readonly<Record<PayoutState, string>> = {
  pending: 'On its way, arrives by',
  in_transit: 'On its way, arrives by',
  paid: 'Paid to your bank on',
  failed: 'Refused by your bank',
  canceled: 'Canceled',
}

function Paid({ payouts: { payouts, timeZone } }: { payouts: OwnPayouts }) {
  return (
    <SectionCard title="Paid to your bank" lead="Stripe pays out by the schedule in your payout settings.">
      {payouts.length === 0 ? (
        <Text className="second">No payouts yet.</Text>
      ) : (
        <ul className={classes.rows}>
          {payouts.map(({ id, amount, state, arrivesAt, problem, orders }) => (
            <li key={id} data-state={state}>
              <span>
                {stateWords[state]}
                {state !== 'failed' && state !== 'canceled' && ` ${dayInWords(arrivesAt, timeZone)}`}
                {state === 'failed' && (
                  <Text size="sm">
                    {problem ?? 'Check your bank account in your payout settings.'} Stripe pays it again with
                    the next payout.
                  </Text>
                )}
                {orders.length > 0 && (
                  <Text size="sm" className="second">
                    {orders.map(({ id: orderId, number, amount: of }, at) => (
                      <span key={orderId}>
                        {at > 0 && ', '}
                        <TextLink to={paths.sellerOrder(orderId)}>{number}</TextLink> {dollars(of)}
                      </span>
                    ))}
                  </Text>
                )}
              </span>
              <strong>{dollars(amount)}</strong>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  )
}
