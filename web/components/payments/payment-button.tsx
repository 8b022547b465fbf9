import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PaymentAction } from './payment-action.ts'

type PaymentButtonProps = ButtonProps & { action: PaymentAction; children: ReactNode }

/** Runs an action at the provider; while one runs, none of these buttons can be pressed. */
export function PaymentButton({ action, ...rest }: PaymentButtonProps) {
  const { run, running, busy } = action
  return <Button variant="default" {...rest} onClick={run} loading={running} disabled={busy} />
}
