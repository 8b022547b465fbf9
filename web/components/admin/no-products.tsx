import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/empty-state.tsx'

type NoProductsProps = {
  /** How many the server says there are, although none came. */
  total: number
  /** Set where filters are what leaves nothing. */
  onClear?: (() => void) | undefined
  /** What to do where products should be there. */
  action?: ReactNode
}

/** Why the list is empty, in the spec's words. */
export function NoProducts({ total, onClear, action }: NoProductsProps) {
  if (total === 0 && onClear) {
    return (
      <EmptyState
        title="No products match these filters."
        text="Try fewer words, another status, or only the digits of the part number."
        action={<Button onClick={onClear}>Clear filters</Button>}
        drawing={emptyDrawing}
      />
    )
  }
  return (
    <EmptyState
      title="No Products To Manage"
      text={
        total > 0
          ? 'Products could not be loaded. Try Load More or reload the page.'
          : 'You have no products yet. Create listings from Seller dashboards.'
      }
      action={action}
      drawing={emptyDrawing}
    />
  )
}
