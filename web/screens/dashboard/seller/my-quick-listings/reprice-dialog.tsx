import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ownBulkEndpoints } from '#contract/listings.ts'
import { type CallOptions, call } from '#web/api/client.ts'
import { NumberField } from '#web/components/form/number-field.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { formatPrice } from '#web/site/card/listing-words.ts'

type Change = CallOptions<typeof ownBulkEndpoints.changeOwnListings>['body']
type Repricing = Extract<Change, { action: 'age' }>
type Rule = Repricing['rules'][number]

/** A rule as typed; numbers are undefined until valid. */
type TypedRule = { [Key in keyof Rule]: Rule[Key] | undefined }

const isRule = (typed: TypedRule): typed is Rule => typed.days !== undefined && typed.percent !== undefined

// A quarter, half a year, a year.
const usual: TypedRule[] = [
  { days: 90, percent: -5 },
  { days: 180, percent: -10 },
  { days: 365, percent: -20 },
]

const MOST_SHOWN = 20

type RepriceDialogProps = {
  chosen: readonly string[]
  saving: boolean
  onClose: () => void
  onSave: (change: Repricing) => void
}

/** Lowers prices by age, down to a floor, after showing the new prices. */
export function RepriceDialog({ chosen, saving, onClose, onSave }: RepriceDialogProps) {
  const [rules, setRules] = useState(usual)
  const [floor, setFloor] = useState<number | undefined>(10)
  const known = rules.filter(isRule)
  const change: Repricing = {
    action: 'age',
    ids: [...chosen],
    rules: known.filter(({ percent }) => percent !== 0),
    floor: floor ?? 0,
  }
  const isTyped = floor !== undefined && known.length === rules.length
  const preview = useMutation({
    mutationFn: () => call(ownBulkEndpoints.changeOwnListings, { body: { ...change, preview: true } }),
    onError: (error) => notifyError(error, 'Could not show the new prices', { about: 'own listings' }),
  })
  const edit = (at: number, changed: Partial<TypedRule>) => {
    preview.reset()
    setRules(rules.map((rule, place) => (place === at ? { ...rule, ...changed } : rule)))
  }
  const prices = preview.data?.prices
  return (
    <Modal opened onClose={onClose} title="Reprice by age">
      <Stack gap="md">
        {rules.map(({ days, percent }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rules keep their places
          <Group key={at} gap="sm" grow>
            <NumberField
              label="Listed for at least (days)"
              value={days}
              min={1}
              max={3_650}
              onChange={(next) => edit(at, { days: next })}
            />
            <NumberField
              label="Change by"
              value={percent}
              min={-90}
              max={100}
              decimals={2}
              suffix="%"
              onChange={(next) => edit(at, { percent: next })}
            />
          </Group>
        ))}
        <NumberField
          label="Never below"
          description="Prices below it stay as they are. 0 for no limit."
          value={floor}
          min={0}
          max={99_999_999}
          prefix="$"
          decimals={2}
          onChange={(next) => {
            preview.reset()
            setFloor(next)
          }}
        />
        {prices && <NewPrices prices={prices} kept={preview.data?.kept.length ?? 0} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {prices && prices.length > 0 ? (
            <Button loading={saving} onClick={() => onSave(change)}>
              Change {prices.length === 1 ? '1 price' : `${prices.length.toLocaleString('en-US')} prices`}
            </Button>
          ) : (
            <Button
              loading={preview.isPending}
              disabled={!isTyped || change.rules.length === 0}
              onClick={() => preview.mutate()}
            >
              Show new prices
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

type NewPricesProps = { prices: { id: string; title: string; from: number; to: number }[]; kept: number }

function NewPrices({ prices, kept }: NewPricesProps) {
  const more = prices.length - MOST_SHOWN
  return (
    <div role="status">
      {prices.length === 0 && <Text>These rules don’t change any prices.</Text>}
      <Table verticalSpacing={4}>
        <Table.Tbody>
          {prices.slice(0, MOST_SHOWN).map(({ id, title, from, to }) => (
            <Table.Tr key={id}>
              <Table.Td>{title}</Table.Td>
              <Table.Td ta="right">
                {formatPrice(from, 'USD')} → {formatPrice(to, 'USD')}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {more > 0 && <Text size="sm">and {more.toLocaleString('en-US')} more</Text>}
      {kept > 0 && <Text size="sm">{kept.toLocaleString('en-US')} stay as they are.</Text>}
    </div>
  )
}
