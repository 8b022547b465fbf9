import { Button, Drawer, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ListingPage } from '#contract/listings.ts'
import { CategorySelect, ManufacturerSelect } from '#web/components/listing-lookups/lookup-selects.tsx'
import { productCount } from './list-state.ts'

type FilterDrawerProps = {
  count: number
  found: Omit<ListingPage, 'items'> | undefined
  onClear: () => void
  children: ReactNode
}

/** On a phone, filters open from a button so that the first cards are visible. */
export function FilterDrawer({ count, found, onClear, children }: FilterDrawerProps) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        hiddenFrom="sm"
        onClick={open}
        leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
        flex="none"
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        // No taller than the filters, so the list behind shows their effect.
        styles={{ content: { flex: '0 0 100%', height: 'auto', maxHeight: '90dvh' } }}
        title="Filters"
        closeButtonProps={{ 'aria-label': 'Close filters' }}
      >
        <Stack gap="md" pb="md">
          {children}
          <Group wrap="nowrap">
            <Button variant="default" onClick={onClear} flex="none">
              Clear
            </Button>
            <Button onClick={close} flex={1} px="xs">
              {found ? `Show ${productCount(found)}` : 'Show products'}
            </Button>
          </Group>
        </Stack>
      </Drawer>
    </>
  )
}

type LookupFiltersProps = {
  disabled?: boolean
  filters: { categoryId: string; manuId: string }
  onCategory: (categoryId: string) => void
  onManufacturer: (manuId: string) => void
}

/** The filters that every list of parts has. An empty id means no filter. */
export function LookupFilters({ disabled = false, filters, onCategory, onManufacturer }: LookupFiltersProps) {
  return (
    <>
      <CategorySelect
        label="Category"
        placeholder="All categories"
        clearable
        disabled={disabled}
        value={filters.categoryId}
        onChange={onCategory}
      />
      <ManufacturerSelect
        label="Manufacturer"
        placeholder="All manufacturers"
        clearable
        disabled={disabled}
        value={filters.manuId}
        onChange={(manuId) => onManufacturer(manuId)}
      />
    </>
  )
}
