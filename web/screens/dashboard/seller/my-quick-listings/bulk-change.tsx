import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_OWN_BULK, ownBulkEndpoints } from '#contract/listings.ts'
import { type CallOptions, call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { NumberField } from '#web/components/form/number-field.tsx'
import { notifyDone, notifyError, notifyInfo } from '#web/components/toasts.tsx'
import classes from './own-listings.module.css'
import { RepriceDialog } from './reprice-dialog.tsx'

const place = 'top-center'
const about = 'own listings'

type Change = CallOptions<typeof ownBulkEndpoints.changeOwnListings>['body']
type How = Extract<Change, { action: 'price' }>['how']

const listings = (count: number) => (count === 1 ? '1 listing' : `${count.toLocaleString('en-US')} listings`)

type BulkBarProps = {
  chosen: readonly string[]
  /** Sold listings have nothing more to change. */
  sold: boolean
  onClear: () => void
  matching: {
    /** Number of listings on all pages of the list. */
    total: number
    findIds: () => Promise<string[]>
    onFound: (ids: string[]) => void
  }
}

/** What can be done with the selected listings. Every change can be undone while its toast is visible. */
export function BulkBar({ chosen, sold, onClear, matching }: BulkBarProps) {
  const [pricing, setPricing] = useState(false)
  const [repricing, setRepricing] = useState(false)
  const change = useBulkChange(onClear)
  const more = useMutation({
    mutationFn: matching.findIds,
    onSuccess: matching.onFound,
    onError: (error) => notifyError(error, 'Could not select them', { place, about }),
  })
  const most = Math.min(matching.total, MAX_OWN_BULK)
  const tooMany = chosen.length > MAX_OWN_BULK
  const sell = async () => {
    const sure = await askToConfirm({
      title: `Mark ${listings(chosen.length)} as sold?`,
      text: 'They leave the public lists. You can put them back on sale.',
      confirm: 'Mark as sold',
    })
    if (sure) change.mutate({ action: 'end', ids: [...chosen], reason: 'sold-elsewhere' })
  }
  return (
    <section className={classes.bulk} aria-label="Selected listings">
      <Text fw={600} role="status">
        {listings(chosen.length)} selected
      </Text>
      {chosen.length < most && (
        <Button size="xs" variant="default" loading={more.isPending} onClick={() => more.mutate()}>
          {matching.total > MAX_OWN_BULK
            ? `Select the first ${listings(most)}`
            : `Select all ${listings(most)}`}
        </Button>
      )}
      {tooMany && <Text>Select at most {MAX_OWN_BULK.toLocaleString('en-US')} at once.</Text>}
      {!sold && (
        <>
          <Button size="xs" variant="default" disabled={tooMany} onClick={() => setPricing(true)}>
            Change price
          </Button>
          <Button size="xs" variant="default" disabled={tooMany} onClick={() => setRepricing(true)}>
            Reprice by age
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={tooMany}
            loading={change.isPending && change.variables.action === 'end'}
            onClick={() => void sell()}
          >
            Mark as sold
          </Button>
        </>
      )}
      <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
      {repricing && (
        <RepriceDialog
          chosen={chosen}
          saving={change.isPending}
          onClose={() => setRepricing(false)}
          onSave={(rules) => change.mutate(rules, { onSuccess: () => setRepricing(false) })}
        />
      )}
      {pricing && (
        <PriceDialog
          count={chosen.length}
          saving={change.isPending}
          onClose={() => setPricing(false)}
          onSave={(how, value) =>
            change.mutate(
              { action: 'price', ids: [...chosen], how, value },
              { onSuccess: () => setPricing(false) },
            )
          }
        />
      )}
    </section>
  )
}

const hows: { value: How; label: string }[] = [
  { value: 'percent', label: 'By percent' },
  { value: 'add', label: 'By amount' },
  { value: 'set', label: 'To a price' },
]

const hints: Record<How, string> = {
  percent: 'Use a minus sign to lower prices: -10 takes 10% off each.',
  add: 'Use a minus sign to lower prices: -5 takes $5 off each.',
  set: 'Every selected listing gets this price.',
}

const labels: Record<How, string> = { percent: 'Percent', add: 'Amount', set: 'Price' }

const limits = {
  percent: { min: -100, max: 1_000, suffix: '%' },
  add: { min: -99_999_999, max: 99_999_999, prefix: '$' },
  set: { min: 0, max: 99_999_999, prefix: '$' },
} satisfies Record<How, object>

type PriceDialogProps = {
  count: number
  saving: boolean
  onClose: () => void
  onSave: (how: How, value: number) => void
}

function PriceDialog({ count, saving, onClose, onSave }: PriceDialogProps) {
  const [how, setHow] = useState<How>('percent')
  const [value, setValue] = useState<number>()
  const canSave = value !== undefined && (how === 'set' || value !== 0)
  return (
    <Modal opened onClose={onClose} title={`Change the price of ${listings(count)}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (canSave) onSave(how, value)
        }}
      >
        <Stack gap="md">
          <SegmentedControl aria-label="How" data={hows} value={how} onChange={(next) => setHow(next)} />
          <NumberField
            label={labels[how]}
            description={hints[how]}
            value={value}
            onChange={setValue}
            decimals={2}
            {...limits[how]}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!canSave} loading={saving}>
              Change price
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function useBulkChange(onDone: () => void) {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['listings'] })
  const undo = async (id: string) => {
    try {
      const { undone, kept } = await call(ownBulkEndpoints.undoOwnChange, { params: { id } })
      const left = kept.length > 0 ? ` ${listings(kept.length)} changed since and stayed as they are.` : ''
      notifyDone(`Undone: ${listings(undone)}.${left}`, { place, about })
    } catch (error) {
      notifyError(error, 'Could not undo the change', { place, about })
    }
    await refresh()
  }
  return useMutation({
    mutationFn: (change: Change) => call(ownBulkEndpoints.changeOwnListings, { body: change }),
    onSuccess: async ({ updated, changeSetId, kept }, { action }) => {
      onDone()
      await refresh()
      const [first] = kept
      const left = first ? ` ${listings(kept.length)} left as is, such as ${first.title}: ${first.why}.` : ''
      const done = action === 'end' ? 'Marked as sold' : 'Price changed'
      if (changeSetId === null) notifyInfo(`Nothing changed.${left}`, { place, about })
      else {
        const action = { label: 'Undo', run: () => void undo(changeSetId) }
        notifyDone(`${done}: ${listings(updated)}.${left}`, { place, about, action })
      }
    },
    onError: (error) => notifyError(error, 'Could not change them', { place, about }),
  })
}
