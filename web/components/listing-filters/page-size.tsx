import { Group, NativeSelect, Text } from '@mantine/core'
import { pageSizes } from '#contract/listings.ts'

/** How many cards a page shows. */
export function PageSize({ value, onChange }: { value: number; onChange: (size: number) => void }) {
  return (
    <Group component="label" gap="xs" wrap="nowrap">
      <Text component="span" size="sm" className="second">
        Per page
      </Text>
      <NativeSelect
        value={String(value)}
        data={pageSizes.map(String)}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
        w="5.25rem"
      />
    </Group>
  )
}
