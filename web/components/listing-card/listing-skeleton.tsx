import { Card, Skeleton, Stack } from '@mantine/core'
import classes from './listing-card.module.css'
import { ListingGrid } from './listing-grid.tsx'

type ListingSkeletonProps = { count: number; withActions: boolean; flat?: boolean }

/** Cards in the making, with the measures of the finished ones; the page says in words that it is loading. */
export function ListingSkeleton({ count, withActions, flat = false }: ListingSkeletonProps) {
  return (
    <div aria-hidden>
      <ListingGrid>
        {Array.from({ length: count }, (_, place) => place).map((place) => (
          <Card key={place} className={classes.card} padding={0}>
            <div className={classes.picture} data-flat={flat || undefined}>
              <Skeleton height="100%" radius={0} />
            </div>
            <Stack gap="sm" className={classes.text}>
              <Skeleton height={20} width="85%" />
              <Skeleton height={26} width="45%" />
              <Skeleton height={18} width="60%" />
              <Skeleton height={16} width="75%" />
            </Stack>
            {withActions && (
              <div className={classes.actions}>
                <Skeleton height={30} width="60%" />
              </div>
            )}
          </Card>
        ))}
      </ListingGrid>
    </div>
  )
}
