import { Group, Pagination, Text, useMatches } from '@mantine/core'

type PagerProps = {
  page: number
  pageCount: number
  onChange: (page: number) => void
  /** Tells two pagers of one page apart, such as "Pages, above the list". */
  label?: string
}

/** Pages with arrows; nothing where one page holds all. */
export function Pager({ page, pageCount, onChange, label = 'Pages' }: PagerProps) {
  // Five numbers of a thumb's size do not stand in one line of a phone.
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
