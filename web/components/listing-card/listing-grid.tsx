import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'

/** As many cards in a row as the screen holds. */
const gridColumns = { base: 1, xs: 2, md: 3, lg: 4 }

export function ListingGrid({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={gridColumns} spacing="md">
      {children}
    </SimpleGrid>
  )
}
