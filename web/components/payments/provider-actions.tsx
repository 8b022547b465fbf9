import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSite } from '#web/api/use-site.ts'
import classes from './provider-actions.module.css'

/** Buttons that leave for the provider; where no money moves, it says so beside them. */
export function ProviderActions({ children }: { children: ReactNode }) {
  return (
    <Group gap="sm">
      {children}
      <TestPayments />
    </Group>
  )
}

/** Quiet, and only where payments are a rehearsal. */
export function TestPayments() {
  if (useSite().data?.payments !== 'test') return null
  return (
    <Text span className={classes.test} title="No money moves: payments are a rehearsal here">
      Test payments
    </Text>
  )
}
