import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Books, releaseEndpoints } from '#contract/order/money/release-views.ts'
import { call } from '#web/api/client.ts'
import { Moment } from '#web/components/admin/records.tsx'
import { TextLink } from '#web/components/links.tsx'
import { dollars } from '#web/components/orders/order-facts.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page, Trail } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { paths } from '#web/paths.ts'
import classes from '#web/screens/dashboard/admin/orders/orders.module.css'

/** Where our books and Stripe's differ, and money that waits. */
export function Component() {
  const books = useQuery({
    queryKey: ['books'],
    queryFn: ({ signal }) => call(releaseEndpoints.readBooks, { signal }),
  })
  return (
    <Page
      title="Books"
      lead="Our ledger compared with Stripe's balance and transfers, to the cent. Differences are listed, never changed by themselves."
    >
      <Trail links={[{ to: paths.manageOrders, label: 'Manage Orders' }]} here="Books" />
      <Loaded
        query={books}
        failure="Unable to load the books"
        waiting={<Skeleton height={240} radius="lg" role="status" aria-label="Loading the books…" />}
      >
        {(loaded) => (
          <Stack gap="lg">
            <Differences books={loaded} />
            <Waiting waiting={loaded.waiting} />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function Differences({ books: { checkedAt, compared, differences } }: { books: Books }) {
  const open = differences.filter(({ goneAt }) => goneAt === null)
  const gone = differences.filter(({ goneAt }) => goneAt !== null)
  return (
    <SectionCard
      title={`Differences (${open.length.toLocaleString('en-US')})`}
      lead={
        checkedAt === null ? (
          'Not compared yet. The worker compares every hour.'
        ) : (
          <>
            {compared.toLocaleString('en-US')} entries and transfers, compared <Moment at={checkedAt} />. The
            worker compares every hour.
          </>
        )
      }
    >
      {checkedAt !== null && open.length === 0 && <Text fw={650}>Everything agrees.</Text>}
      {open.length > 0 && <List differences={open} />}
      {gone.length > 0 && (
        <>
          <Text fw={650}>Gone in the last 30 days</Text>
          <List differences={gone} />
        </>
      )}
    </SectionCard>
  )
}

function List({ differences }: Pick<Books, 'differences'>) {
  return (
    <ul className={classes.attention}>
      {differences.map(({ id, orderId, order, text, foundAt }) => (
        <li key={id}>
          {orderId !== null && order !== null && (
            <TextLink to={paths.manageOrder(orderId)} fw={650}>
              {order}
            </TextLink>
          )}{' '}
          {text}
          <Text size="sm" className="second">
            Found <Moment at={foundAt} />
          </Text>
        </li>
      ))}
    </ul>
  )
}

function Waiting({ waiting }: Pick<Books, 'waiting'>) {
  return (
    <SectionCard
      title={`Waiting transfers (${waiting.length.toLocaleString('en-US')})`}
      lead="Tried again by themselves until they work."
    >
      {waiting.length === 0 ? (
        <Text className="second">None waits.</Text>
      ) : (
        <ul className={classes.attention}>
          {waiting.map(({ orderId, order, kind, amount, since, tries, problem }) => (
            <li key={`${orderId} ${kind} ${since}`}>
              <TextLink to={paths.manageOrder(orderId)} fw={650}>
                {order}
              </TextLink>{' '}
              {dollars(amount)} {kind === 'transfer' ? 'to the yard' : 'back from the yard'}
              {problem === null ? '' : `: ${problem}`}
              <Text size="sm" className="second">
                Since <Moment at={since} />
                {tries > 0 && `, refused ${tries} ${tries === 1 ? 'time' : 'times'}`}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  )
}
