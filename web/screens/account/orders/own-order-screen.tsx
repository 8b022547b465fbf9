import { Skeleton } from '@mantine/core'
import { useParams } from 'react-router'
import { ButtonLink } from '#web/components/links.tsx'
import { usePageTitle } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'
import { OrderView } from '#web/screens/orders/order.tsx'
import { useOrder } from '#web/screens/orders/use-order.ts'
import { Button } from '#web/site/button.tsx'
import { Empty, Page, Trail } from '#web/site/page.tsx'

const above = [{ to: paths.account, label: 'My orders' }]

/** An order of the signed-in buyer, the same page as its link shows. */
export function Component() {
  const { id = '' } = useParams()
  return <OwnOrder key={id} id={id} />
}

function OwnOrder({ id }: { id: string }) {
  usePageTitle('Your order')
  const { order, setOrder, refusal, readAgain, payment } = useOrder({ id }, undefined)
  if (order) {
    return (
      <OrderView
        order={order}
        orderKey={{ id }}
        payment={payment}
        hasLeft={false}
        problem={refusal?.error}
        onChange={setOrder}
        trail={<Trail links={above} here={order.number} />}
      />
    )
  }
  return (
    <Page heading="Your order" width="text">
      {refusal ? (
        <Empty
          title={
            refusal.code === 'NOT_FOUND'
              ? 'This order is not in your account'
              : 'The order could not be opened'
          }
          text={refusal.error}
          action={
            refusal.code === 'NOT_FOUND' ? (
              <ButtonLink to={paths.account}>See my orders</ButtonLink>
            ) : (
              <Button onClick={readAgain}>Try again</Button>
            )
          }
        />
      ) : (
        <Skeleton height={320} role="status" aria-label="Opening your order…" />
      )}
    </Page>
  )
}
