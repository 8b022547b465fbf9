import { Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bookEndpoints } from '#contract/order/money/book-calls.ts'
import { call } from '#web/api/client.ts'
import { FileButton } from '#web/components/downloads.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { TrialBalance } from './trial-balance.tsx'

/** The books of a month, the balances of a day, and the year's sales for form 1099-K. */
export function BooksCard() {
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7))
  const year = month.slice(0, 4)
  return (
    <SectionCard
      title="Books"
      lead="The journal has every entry of the ledger: debits equal credits. Months and years are those of UTC."
      mt="lg"
    >
      <Group gap="sm" align="flex-end">
        <TextInput
          label="Month"
          type="month"
          value={month}
          onChange={(event) => setMonth(event.currentTarget.value)}
        />
        <FileButton
          read={() => call(bookEndpoints.exportJournal, { query: { month } })}
          name={`journal-${month}.csv`}
        >
          Journal, CSV
        </FileButton>
        <FileButton
          read={() => call(bookEndpoints.exportYearlySales, { query: { year } })}
          name={`yearly-sales-${year}.csv`}
        >
          {`Sales of ${year || 'the year'} by yard, CSV`}
        </FileButton>
      </Group>
      <TrialBalance />
    </SectionCard>
  )
}
