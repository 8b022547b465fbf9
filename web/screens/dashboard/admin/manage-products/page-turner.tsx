import { Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ListingPage } from '#contract/listings.ts'
import { plainNumber } from '#contract/text/typed-number.ts'
import { adminPageSizes } from '#web/components/admin/all-listings.tsx'
import type { ListPages } from '#web/components/listing-filters/list-state.ts'
import { PageSize } from '#web/components/listing-filters/listing-results.tsx'
import classes from './manage-products.module.css'

type PageTurnerProps = {
  list: ListPages
  found: ListingPage | undefined
  /** Distinguishes the two on one page. */
  label: string
}

export function PageTurner({ list, found, label }: PageTurnerProps) {
  const last = found?.lastPage ?? 1
  const turnTo = (page: number) => list.turnTo(clampPage(page, last))
  return (
    <nav aria-label={label} className={classes.turner}>
      <Text className={classes.place} fw={600}>
        {found ? pageLine(list.page, found) : 'Loading products…'}
      </Text>
      <Group gap="md" className={classes.controls}>
        <PageSize value={list.perPage} onChange={list.resize} sizes={adminPageSizes} />
        <PageBox onGo={turnTo} disabled={!found} />
        <Group gap="xs" wrap="nowrap">
          <Button variant="default" onClick={() => turnTo(list.page - 1)} disabled={!found || list.page <= 1}>
            Prev
          </Button>
          <Button
            variant="default"
            onClick={() => turnTo(list.page + 1)}
            disabled={!found || list.page >= last}
          >
            Next
          </Button>
        </Group>
      </Group>
    </nav>
  )
}

function PageBox({ onGo, disabled }: { onGo: (page: number) => void; disabled: boolean }) {
  const [typed, setTyped] = useState('')
  const go = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() === '') return
    onGo(Number(plainNumber(typed) ?? Number.NaN))
    setTyped('')
  }
  return (
    <form onSubmit={go} className={classes.box} noValidate>
      <TextInput
        label="Go to"
        aria-label="Go to page"
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        classNames={{ root: classes.typed ?? '', label: classes.label ?? '' }}
      />
      <Button type="submit" variant="default" disabled={disabled}>
        Go
      </Button>
    </form>
  )
}

/** The spec's words, with plain numbers: "Page 3 of 1250 — 5000 total"; "10000+ total" if the count is capped. */
export function pageLine(
  page: number,
  { lastPage, total, totalIsAtLeast }: Pick<ListingPage, 'lastPage' | 'total' | 'totalIsAtLeast'>,
): string {
  return `Page ${page} of ${lastPage} — ${total}${totalIsAtLeast ? '+' : ''} total`
}

export function clampPage(typed: number, lastPage: number): number {
  if (Number.isNaN(typed)) return 1
  return Math.min(Math.max(Math.trunc(typed), 1), lastPage)
}
