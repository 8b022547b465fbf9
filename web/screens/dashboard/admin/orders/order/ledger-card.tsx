import { Skeleton, Table, Text } from '@mantine/core'
import type { Answer } from '#contract/endpoint.ts'
import { type LedgerAccount, ledgerAccountNames, ledgerAccounts } from '#contract/order/money/ledger.ts'
import type { orderEndpoints } from '#contract/order/order-calls.ts'
import { dollars } from '#web/components/orders/order-facts.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { zonedMomentWords } from '#web/components/time-words.ts'
import { useLedger } from '#web/screens/dashboard/admin/orders/admin-orders.ts'
import classes from './ledger-card.module.css'

type Ledger = Answer<typeof orderEndpoints.readOrderLedger>

/** Where the order's money is: what each account has, and each entry. */
export function LedgerCard({ id }: { id: string }) {
  const ledger = useLedger(id)
  return (
    <SectionCard title="Ledger" lead="What we have is positive, what we owe negative; together, zero.">
      <Loaded
        query={ledger}
        failure="Unable to load the ledger"
        waiting={<Skeleton height={120} role="status" aria-label="Loading the ledger…" />}
      >
        {(found) =>
          found.entries.length === 0 ? (
            <Text className="second">No entries: no money was taken.</Text>
          ) : (
            <LedgerTables ledger={found} />
          )
        }
      </Loaded>
    </SectionCard>
  )
}

function LedgerTables({ ledger: { entries, balances, balance } }: { ledger: Ledger }) {
  const accounts = ledgerAccountNames.filter((account) => balances[account] !== undefined)
  return (
    <>
      <div className={classes.frame}>
        <Table aria-label="Balances">
          <Table.Tbody>
            {accounts.map((account) => (
              <Table.Tr key={account}>
                <Table.Th scope="row">{meaning(account)}</Table.Th>
                <Table.Td className={classes.amount}>{dollars(balances[account] ?? 0)}</Table.Td>
              </Table.Tr>
            ))}
            <Table.Tr data-off={balance !== 0 || undefined}>
              <Table.Th scope="row">Balance</Table.Th>
              <Table.Td className={classes.amount}>{dollars(balance)}</Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </div>
      {balance !== 0 && (
        <Text role="alert" c="var(--mantine-color-error)">
          The entries do not add up to zero. Run “payments doctor”.
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, which keys have to reach, too */}
      <section className={classes.frame} aria-label="Entries" tabIndex={0}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              <Table.Th>Why</Table.Th>
              <Table.Th>Account</Table.Th>
              <Table.Th className={classes.amount}>Amount</Table.Th>
              <Table.Th>Provider’s id</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map(({ account, amount, at, why, provider }) => (
              <Table.Tr key={`${at} ${why} ${account} ${provider}`}>
                <Table.Td className={classes.moment}>{zonedMomentWords(at)}</Table.Td>
                <Table.Td>{why}</Table.Td>
                <Table.Td>
                  <span title={meaning(account)}>{account}</span>
                </Table.Td>
                <Table.Td className={classes.amount}>{dollars(amount)}</Table.Td>
                <Table.Td>
                  <code>{provider}</code>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </>
  )
}

const meaning = (account: LedgerAccount): string => ledgerAccounts[account].meaning
