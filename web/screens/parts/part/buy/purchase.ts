import type { Delivery, IfMissing } from '#contract/order/order-steps.ts'
import type { Purchase } from '#web/api/orders/order-calls.ts'

type Choice = {
  delivery: Delivery
  quantity: number
  total: number | null
  /** The token of a conversation whose accepted offer is paid. */
  conversation: string | undefined
}

/** What the form says, as the call takes it. */
export function purchaseOf(
  form: HTMLFormElement,
  { delivery, quantity, total, conversation }: Choice,
): Purchase {
  const data = new FormData(form)
  const of = (name: string) => String(data.get(name) ?? '').trim()
  const vin = of('vin').replaceAll(/[\s-]/g, '')
  return {
    email: of('email'),
    name: of('name'),
    ...(of('phone') && { phone: of('phone') }),
    delivery,
    ...(delivery === 'ship' && {
      address: {
        line1: of('address.line1'),
        line2: of('address.line2'),
        city: of('address.city'),
        state: of('address.state'),
        zip: of('address.zip'),
      },
    }),
    ...(vin && { vin }),
    ...(conversation && { conversation }),
    ...(of('ifMissing') && { ifMissing: of('ifMissing') as IfMissing }),
    quantity,
    expectedTotal: total,
  }
}

/** What is missing or mistyped, by field, as the browser sees it. The server checks the rest. */
export function problemsIn(form: HTMLFormElement): Record<string, string> {
  const fields = [...form.elements].filter(
    (element): element is HTMLInputElement => 'validity' in element && 'name' in element,
  )
  return Object.fromEntries(
    fields.flatMap(({ name, validity, title, labels }) => {
      if (name === '' || validity.valid) return []
      const isMissing = validity.valueMissing || title === ''
      return [[name, isMissing ? `${labels?.[0]?.textContent} is required` : title]]
    }),
  )
}
