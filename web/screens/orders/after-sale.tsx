import type { BuyerOrder } from '#contract/order/order-views.ts'
import type { OrderKey } from '#web/api/orders/order-calls.ts'
import { showMessage } from '#web/site/frame/messages.tsx'
import { useActing } from './order-actions.tsx'
import { Returns } from './returns.tsx'
import { Review, ReviewForm } from './review.tsx'

type AfterSaleProps = { order: BuyerOrder; orderKey: OrderKey; onChange: (order: BuyerOrder) => void }

/** What can be sent back or was, and then the review: an open claim comes first. */
export function AfterSale({ order, orderKey, onChange }: AfterSaleProps) {
  const acting = useActing(orderKey, onChange)
  const { busy, act } = acting
  return (
    <>
      <Returns order={order} orderKey={orderKey} acting={acting} />
      {order.actions.includes('review') && (
        <ReviewForm
          key={order.review?.stars}
          order={order}
          busy={busy === 'review'}
          onSend={(review) =>
            void act('review', '/orders/review', review).then(
              (done) => done && showMessage('Thank you for your review'),
            )
          }
        />
      )}
      <Review order={order} />
    </>
  )
}
