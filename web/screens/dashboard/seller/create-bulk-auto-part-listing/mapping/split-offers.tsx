import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { importFieldLabels } from '#contract/csv/import-fields.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { type SplitOffer, withoutSplit, withSplit } from './split-columns.ts'

const titles: Record<SplitOffer['split']['as'], (header: string) => string> = {
  title: (header) => `“${header}” has the car and the part together. Separate them?`,
  'priced title': (header) => `“${header}” has the car, the part and its price together. Separate them?`,
  vehicle: (header) => `“${header}” has year, make and model together. Separate them?`,
  years: (header) => `“${header}” has short years or several years. Read them as years?`,
}

/** Columns that are split or could be, each with a preview of its split. */
export function SplitOffers({ wizard }: { wizard: Wizard }) {
  return wizard.splits.map((offer) => (
    <SplitCard key={`${offer.split.as} ${offer.split.from}`} wizard={wizard} offer={offer} />
  ))
}

function SplitCard({ wizard, offer }: { wizard: Wizard; offer: SplitOffer }) {
  const { columns, setColumns, locked } = wizard
  const { split, isOn, examples } = offer
  const title = isOn ? `“${split.from}” is separated` : titles[split.as](split.from)
  return (
    <Alert
      color={isOn ? 'good' : 'warning'}
      variant="light"
      role="note"
      {...(!isOn && wizard.obstacle && { 'data-problem': true, tabIndex: -1 })}
      // On a phone the preview scrolls in itself and does not widen the text.
      styles={{ body: { minWidth: 0 } }}
      title={title}
    >
      <Stack gap="xs">
        <Group gap="sm" justify="space-between">
          <Text size="sm">{certainty(offer)}</Text>
          {isOn ? (
            <Button
              variant="default"
              size="xs"
              disabled={locked}
              onClick={() => setColumns(withoutSplit(columns, split))}
            >
              Don’t separate
            </Button>
          ) : (
            <Button
              size="xs"
              disabled={locked}
              aria-label={`Yes: ${title}`}
              onClick={() => setColumns(withSplit(columns, split))}
            >
              Yes
            </Button>
          )}
        </Group>
        <Preview offer={offer} />
        {examples.unclear !== undefined && (
          <Text size="sm" className="second">
            We didn’t understand “{examples.unclear}”. You can fix it in the next step.
          </Text>
        )}
      </Stack>
    </Alert>
  )
}

function certainty({ clear, of }: SplitOffer): string {
  if (of === 1) return 'The first value can be read.'
  const first = `first ${of.toLocaleString('en-US')} values`
  return clear === of
    ? `All of the ${first} can be read.`
    : `${clear.toLocaleString('en-US')} of the ${first} can be read.`
}

function Preview({ offer: { split, examples } }: { offer: SplitOffer }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling table must be reachable by keyboard
    <section aria-label={`Preview of ${split.from}`} tabIndex={0} style={{ overflowX: 'auto' }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{split.from}</Table.Th>
            {examples.fields.map((field) => (
              <Table.Th key={field} scope="col">
                {importFieldLabels[field]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {examples.rows.map(({ text, fields }) => (
            <Table.Tr key={text}>
              <Table.Td>{text}</Table.Td>
              {examples.fields.map((field) => (
                <Table.Td key={field}>{fields[field] ?? ''}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
