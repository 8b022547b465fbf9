import { Alert, Badge, Button, Group, Stack, Table, Text } from '@mantine/core'
import { importFieldLabels } from '#contract/csv/import-fields.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { type SplitOffer, withoutSplit, withSplit } from './split-columns.ts'

const titles: Record<SplitOffer['split']['as'], (header: string) => string> = {
  title: (header) => `“${header}” has the vehicle and the part in one column`,
  'priced title': (header) => `“${header}” has the vehicle, the part and its price in one column`,
  vehicle: (header) => `“${header}” has the vehicle in one column`,
  years: (header) => `“${header}” has abbreviated years or lists of years`,
}

const buttons: Record<SplitOffer['split']['as'], string> = {
  title: 'Split this column',
  'priced title': 'Split this column',
  vehicle: 'Split this column',
  years: 'Read them as years',
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
  return (
    <Alert
      color={isOn ? 'good' : 'warning'}
      variant="light"
      role="note"
      // On a phone the preview scrolls in itself and does not widen the text.
      styles={{ body: { minWidth: 0 } }}
      title={isOn ? `“${split.from}” is split` : titles[split.as](split.from)}
    >
      <Stack gap="xs">
        <Group gap="sm" justify="space-between">
          <Group gap="xs">
            <Badge color={offer.clear === offer.of ? 'good' : 'warning'}>
              {Math.floor((100 * offer.clear) / offer.of)}% clear
            </Badge>
            <Text size="sm">{certainty(offer)}</Text>
          </Group>
          {isOn ? (
            <Button
              variant="default"
              size="xs"
              disabled={locked}
              onClick={() => setColumns(withoutSplit(columns, split))}
            >
              Don’t split
            </Button>
          ) : (
            <Button size="xs" disabled={locked} onClick={() => setColumns(withSplit(columns, split))}>
              {buttons[split.as]}
            </Button>
          )}
        </Group>
        <Preview offer={offer} />
        {examples.unclear !== undefined && (
          <Text size="sm" className="second">
            Unclear rows are reported, never guessed: {examples.unclear}
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
