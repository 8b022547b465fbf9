import { useEffect, useState } from 'react'
import { readOwnAddresses, type ShipTo } from '#web/api/orders/own-addresses.ts'
import { Button } from '#web/site/button.tsx'
import classes from './known-addresses.module.css'

type KnownAddressesProps = { onUse: (address: ShipTo) => void }

/** Where a signed-in buyer had parts sent before: nobody types an address twice. */
export function KnownAddresses({ onUse }: KnownAddressesProps) {
  const [addresses, setAddresses] = useState<readonly ShipTo[]>([])
  useEffect(() => {
    let isHere = true
    void readOwnAddresses().then((found) => isHere && setAddresses(found))
    return () => {
      isHere = false
    }
  }, [])
  if (addresses.length === 0) return null
  return (
    <fieldset aria-label="Addresses of your orders" className={classes.known}>
      {addresses.map((address) => (
        <Button
          key={JSON.stringify(address)}
          size="small"
          onClick={({ currentTarget: { form } }) => {
            if (form) fillIn(form, address)
            onUse(address)
          }}
        >
          Use {[address.line1, address.line2, address.city].filter(Boolean).join(', ')}
        </Button>
      ))}
    </fieldset>
  )
}

function fillIn(form: HTMLFormElement, address: ShipTo): void {
  for (const [name, value] of Object.entries(address)) {
    const field = form.elements.namedItem(`address.${name}`)
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
  }
}
