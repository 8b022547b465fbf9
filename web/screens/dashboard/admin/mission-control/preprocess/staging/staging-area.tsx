import { Card, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './staging.module.css'

/** The area of staged files: their tools, or why a script has none. */
export function StagingArea({ children }: { children: ReactNode }) {
  const titleId = useId()
  return (
    <Card component="section" aria-labelledby={titleId} className={classes.whole ?? ''}>
      <Stack gap="md">
        <Title order={2} size="h3" id={titleId}>
          Manage Recent Staging Files
        </Title>
        {children}
      </Stack>
    </Card>
  )
}
