import type { ButtonProps } from '@mantine/core'
import { PaymentButton } from './payment-button.tsx'
import { useUpgrade } from './plan-actions.ts'

export function UpgradeButton(props: ButtonProps) {
  return (
    <PaymentButton action={useUpgrade()} {...props}>
      Upgrade to Pro
    </PaymentButton>
  )
}
