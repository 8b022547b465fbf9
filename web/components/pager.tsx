import { ActionIcon, Group, Pagination, Text, useMatches } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'

type PagerProps = {
  page: number
  pageCount: number
  onChange: (page: number) => void
  /** Distinguishes two pagers on one page, such as "Pages, above the list". */
  label?: string
}

/** Page numbers with arrows; nothing if there is only one page. */
export function Pager({ page, pageCount, onChange, label = 'Pages' }: PagerProps) {
  // Five thumb-sized numbers do not fit in one line on a phone.
  const numbered = useMatches({ base: false, xs: true }, { getInitialValueInEffect: false })
  if (pageCount <= 1) return null
  return (
    <nav aria-label={label}>
      <Pagination.Root
        value={page}
        total={pageCount}
        onChange={onChange}
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
      >
        <Group gap="xs" wrap="nowrap">
          <Pagination.Previous aria-label="Previous page" />
          {numbered ? <Pagination.Items /> : <Place page={page} pageCount={pageCount} />}
          <Pagination.Next aria-label="Next page" />
        </Group>
      </Pagination.Root>
    </nav>
  )
}

function Place({ page, pageCount }: Pick<PagerProps, 'page' | 'pageCount'>) {
  return (
    <Text component="span" px="xs">
      Page {page.toLocaleString('en-US')} of {pageCount.toLocaleString('en-US')}
    </Text>
  )
}

type MatchArrowsProps = {
  /** Button size in pixels, the height of the field next to it. */
  size: number
  disabled?: boolean
  onFind: (backwards: boolean) => void
}

/** Go to the previous or next match of a search. */
export function MatchArrows({ size, disabled = false, onFind }: MatchArrowsProps) {
  const button = { variant: 'default', size, disabled }
  return (
    <>
      <ActionIcon {...button} aria-label="Previous match" onClick={() => onFind(true)}>
        <IconChevronUp size={size / 2} />
      </ActionIcon>
      <ActionIcon {...button} aria-label="Next match" onClick={() => onFind(false)}>
        <IconChevronDown size={size / 2} />
      </ActionIcon>
    </>
  )
}
