import { Button, Skeleton } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { BoughtPart, SellerOrder } from '#contract/order/order-views.ts'
import { deadlineInWords } from '#contract/order/order-words.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page, Trail } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'
import { useAllToDo } from '#web/screens/dashboard/seller/orders/seller-orders.ts'
import { byPlace, isThere, isToPull, placeOf } from '#web/screens/dashboard/seller/orders/to-do.ts'
import { Empty } from '#web/site/page.tsx'
import classes from './pull-list.module.css'

/** The parts to fetch from the shelves, for paper or a phone. */
export function Component() {
  const orders = useAllToDo()
  const toPull = orders.data?.filter(isToPull).flatMap(pullsOf).toSorted(byPlace)
  return (
    <Page
      title="Pull List"
      heading={<Heading />}
      lead="Parts to find, in the order of your shelves or stock numbers."
      actions={
        toPull &&
        toPull.length > 0 && (
          <Button
            className={classes.screen}
            leftSection={<IconPrinter size={18} aria-hidden />}
            onClick={() => window.print()}
          >
            Print list
          </Button>
        )
      }
    >
      <Trail links={[{ to: paths.sellerOrders, label: 'Orders' }]} here="Pull list" />
      <Loaded
        query={orders}
        failure="Unable to load the pull list"
        waiting={<Skeleton height={240} radius="lg" role="status" aria-label="Loading the pull list…" />}
      >
        {() => (toPull && toPull.length > 0 ? <PullTable pulls={toPull} /> : <NothingToPull />)}
      </Loaded>
    </Page>
  )
}

const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

function Heading() {
  return (
    <>
      Pull List <span className={classes.day}>{today.format(new Date())}</span>
    </>
  )
}

function NothingToPull() {
  return (
    <Empty
      title="Nothing to pull"
      text="Parts to find appear here as buyers order them."
      action={
        <ButtonLink variant="default" to={paths.sellerOrders}>
          Go to orders
        </ButtonLink>
      }
    />
  )
}

type Pull = Pick<SellerOrder, 'shelf' | 'parts'> & { order: SellerOrder; part: BoughtPart }

/** Each part of an order is fetched from its own place. */
const pullsOf = (order: SellerOrder): Pull[] =>
  order.parts.filter(isThere).map((part) => ({ order, part, shelf: order.shelf, parts: [part] }))

function PullTable({ pulls }: { pulls: readonly Pull[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">
            <span className={classes.hidden}>Found</span>
          </th>
          <th scope="col">Shelf or stock #</th>
          <th scope="col">Part</th>
          <th scope="col">Order</th>
          <th scope="col">Until</th>
        </tr>
      </thead>
      <tbody>
        {pulls.map((pull) => (
          <PullRow key={`${pull.order.id} ${pull.part.id}`} {...pull} />
        ))}
      </tbody>
    </table>
  )
}

function PullRow(pull: Pull) {
  const { order, part } = pull
  return (
    <tr>
      <td className={classes.box}>
        <input type="checkbox" aria-label={`Found: ${part.title}, order ${order.number}`} />
      </td>
      <td className={classes.shelf}>{placeOf(pull) ?? '–'}</td>
      <td>
        <strong>
          {part.quantity > 1 && `${part.quantity} × `}
          {part.title}
        </strong>
        <div className="second">
          {[
            part.partNumber && `Part # ${part.partNumber}`,
            order.shelf && part.stockNumber && `Stock # ${part.stockNumber}`,
            part.grade && `Grade ${part.grade}`,
            part.donorVin && `from VIN ${part.donorVin}`,
            order.vin && `for VIN ${order.vin}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </div>
      </td>
      <td className={classes.order}>
        <TextLink to={paths.sellerOrder(order.id)}>{order.number}</TextLink>
      </td>
      <td>{order.deadline ? deadlineInWords(order.deadline.at, order.deadline.zone) : ''}</td>
    </tr>
  )
}
