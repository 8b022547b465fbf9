import { Button, Group, ScrollArea, Skeleton, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type TrialBalance as Balance, bookEndpoints } from '#contract/order/money/book-calls.ts'
import { call } from '#web/api/client.ts'
import { FileButton } from '#web/components/downloads.tsx'
import { dollars } from '#web/components/orders/order-facts.ts'
import { Loaded } from '#web/components/page/load-error.tsx'

/** What each account had at the end of a day. Read when asked for, as it adds up the whole ledger. */
export function TrialBalance() {
  const [day, setDay] = useState(() => new Date().toISOString().slice(0, 10))
  const [shown, setShown] = useState<string>()
  return (
    <>
      <Group gap="sm" align="flex-end" mt="lg" mb="sm">
        <TextInput
          label="Trial balance until the end of"
          type="date"
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Button variant="default" disabled={day === ''} onClick={() => setShown(day)}>
          Show
        </Button>
        <FileButton
          read={() => call(bookEndpoints.exportTrialBalance, { query: { day } })}
          name={`trial-balance-${day}.csv`}
        >
          Trial balance, CSV
        </FileButton>
      </Group>
      {shown !== undefined && <Balances day={shown} />}
    </>
  )
}

function Balances({ day }: { day: string }) {
  const balance = useQuery({
    queryKey: ['books', 'balance', day],
    queryFn: ({ signal }) => call(bookEndpoints.readTrialBalance, { query: { day }, signal }),
  })
  return (
    <Loaded
      query={balance}
      failure="Unable to load the trial balance"
      waiting={<Skeleton height={320} role="status" aria-label="Loading the trial balance…" />}
    >
      {(found) => <Accounts balance={found} />}
    </Loaded>
  )
}

function Accounts({ balance: { accounts, debit, credit } }: { balance: Balance }) {
  return (
    <ScrollArea>
      <Table aria-label="Trial balance" miw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Account</Table.Th>
            <Table.Th ta="right">Debits</Table.Th>
            <Table.Th ta="right">Credits</Table.Th>
            <Table.Th ta="right">Balance</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts.map((sum) => (
            <Table.Tr key={sum.account}>
              <Table.Td>
                {sum.account}
                <Text size="sm" className="second">
                  {sum.meaning}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{dollars(sum.debit)}</Table.Td>
              <Table.Td ta="right">{dollars(sum.credit)}</Table.Td>
              <Table.Td ta="right">{sideOf(sum.balance)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>Total</Table.Th>
            <Table.Th ta="right">{dollars(debit)}</Table.Th>
            <Table.Th ta="right">{dollars(credit)}</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </ScrollArea>
  )
}

function sideOf(balance: number): string {
  if (balance === 0) return dollars(0)
  return `${dollars(Math.abs(balance))} ${balance > 0 ? 'debit' : 'credit'}`
}
