import type { SellerOrder } from '#contract/order/order-views.ts'
import { type ShortcutGroup, ShortcutSheet } from '#web/components/shortcuts/shortcut-sheet.tsx'
import { SingleKeySwitch, useSingleKeys } from '#web/components/shortcuts/single-keys.tsx'
import type { Act } from './order-steps.tsx'
import { orderLinkId } from './seller-orders.ts'

const shortcuts: readonly ShortcutGroup[] = [
  {
    group: 'Orders',
    keys: [
      ['/', 'Search orders'],
      ['j / k', 'Go to the next or previous order'],
      ['Enter', 'Open the order'],
      ['c', 'Found it: confirm the part'],
      ['n', 'Not found'],
      ['s', 'Ship the part'],
      ['?', 'Show this list'],
    ],
  },
]

type OrderShortcutsProps = {
  opened: boolean
  onClose: () => void
  onHelp: () => void
  onSearch: () => void
  orders: readonly SellerOrder[]
  act: Act
}

/** Keys for the list. The focused row is the one they act on. */
export function OrderShortcuts({ opened, onClose, onHelp, onSearch, orders, act }: OrderShortcutsProps) {
  const rowOf = ({ id }: SellerOrder) => document.getElementById(orderLinkId(id))?.closest('li')
  const focused = () => orders.findIndex((order) => rowOf(order)?.contains(document.activeElement))
  const step = (by: 1 | -1) => {
    const at = focused()
    const next = orders[at === -1 && by === -1 ? orders.length - 1 : at + by]
    if (next === undefined) return
    document.getElementById(orderLinkId(next.id))?.focus()
    rowOf(next)?.scrollIntoView({ block: 'nearest' })
  }
  const take = (action: 'confirm' | 'not-found' | 'ship') => () => {
    const order = orders[focused()]
    if (order) act(order, action)
  }
  useSingleKeys([
    ['/', onSearch],
    ['?', onHelp],
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['c', take('confirm')],
    ['n', take('not-found')],
    ['s', take('ship')],
  ])
  return (
    <ShortcutSheet groups={shortcuts} opened={opened} onClose={onClose}>
      <SingleKeySwitch />
    </ShortcutSheet>
  )
}
