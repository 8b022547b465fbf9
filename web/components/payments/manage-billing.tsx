import { useOpenBillingPortal } from './account-actions.ts'
import { PaymentButton } from './payment-button.tsx'

export function ManageBilling() {
  return <PaymentButton action={useOpenBillingPortal()}>Manage Billing</PaymentButton>
}
