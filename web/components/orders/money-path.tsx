import { Text } from '@mantine/core'
import type { OrderPayout } from '#contract/order/money/release-views.ts'
import classes from './money-path.module.css'
import { dollars } from './order-facts.ts'

const stateWords: Readonly<Record<OrderPayout['path'][number]['state'], string>> = {
  done: '',
  next: 'Next: ',
  later: 'Later: ',
  failed: 'Failed: ',
}

/** The way of an order's money from the buyer to the yard's bank. */
export function MoneyPath({ payout: { sentence, path } }: { payout: OrderPayout }) {
  return (
    <>
      <Text fw={650}>{sentence}</Text>
      {path.length > 0 && (
        <ol className={classes.path} aria-label="The way of the money">
          {path.map(({ step, label, amount, state, text }, at) => (
            // The same stop comes once for each transfer.
            // biome-ignore lint/suspicious/noArrayIndexKey: the stops have no id, and are read as a whole
            <li key={`${step} ${at}`} data-state={state}>
              <span>
                {stateWords[state] !== '' && <span className={classes.state}>{stateWords[state]}</span>}
                {label}
                {text !== '' && <span className={classes.text}>{text}</span>}
              </span>
              {amount !== null && step !== 'fee' && (
                <strong>{amount < 0 ? `−${dollars(-amount)}` : dollars(amount)}</strong>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
