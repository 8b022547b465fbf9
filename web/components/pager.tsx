import { Pagination } from '@mantine/core'

type PagerProps = {
  page: number
  pageCount: number
  onChange: (page: number) => void
  /** Tells two pagers of one page apart, such as "Pages, above the list". */
  label?: string
}

const arrowLabels = {
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
}

/** Numbered pages with arrows; nothing where one page holds all. */
export function Pager({ page, pageCount, onChange, label = 'Pages' }: PagerProps) {
  if (pageCount <= 1) return null
  return (
    <nav aria-label={label}>
      <Pagination
        value={page}
        total={pageCount}
        onChange={onChange}
        getControlProps={(control) => ({ 'aria-label': arrowLabels[control] })}
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        siblings={1}
      />
    </nav>
  )
}
