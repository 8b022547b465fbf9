import { Group, NativeSelect, Text } from '@mantine/core'
import { pageSizes } from '#contract/listings.ts'
import type { PageSizes } from './filter-state.ts'

type PageSizeProps = { value: number; onChange: (size: number) => void; sizes?: PageSizes }

/** How many cards a page shows. */
export function PageSize({ value, onChange, sizes = pageSizes }: PageSizeProps) {
  return (
    <Group component="label" gap="xs" wrap="nowrap">
      <Text component="span" size="sm" className="second">
        Per page
      </Text>
      <NativeSelect
        value={String(value)}
        data={sizes.map(String)}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
        w="5.25rem"
      />
    </Group>
  )
}
