import { Card, SimpleGrid, Skeleton, Stack, VisuallyHidden } from '@mantine/core'

type ListSkeletonProps = {
  /** As many as will come, so that nothing jumps. */
  count: number
  /** Read out while loading; without it the page says in sight that it is loading. */
  label?: string
  cols?: Record<string, number>
  pictureHeight?: number
}

/** Cards in the making, with the measures of the finished ones. */
export function ListSkeleton({
  count,
  label,
  cols = { base: 1, xs: 2, md: 3, lg: 4 },
  pictureHeight = 185,
}: ListSkeletonProps) {
  return (
    <div role={label === undefined ? undefined : 'status'}>
      {label !== undefined && <VisuallyHidden>{label}</VisuallyHidden>}
      <SimpleGrid cols={cols} spacing="md" aria-hidden>
        {Array.from({ length: count }, (_, place) => place).map((place) => (
          <Card key={place} padding="md">
            <Card.Section>
              <Skeleton height={pictureHeight} radius={0} />
            </Card.Section>
            <Stack gap="sm" mt="md">
              <Skeleton height={20} width="85%" />
              <Skeleton height={24} width="40%" />
              <Skeleton height={14} width="60%" />
              <Skeleton height={14} width="70%" />
              <Skeleton height={36} width="55%" />
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
    </div>
  )
}
