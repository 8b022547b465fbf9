import { lazy, type ReactNode, Suspense } from 'react'
import type { Listing } from '#contract/listings.ts'
import type { Delivery } from '#contract/order/order-steps.ts'
import { states } from '#contract/text/us-states.ts'
import { useSession } from '#web/api/session.ts'
import { placeOf, sellerName } from '#web/site/card/listing-words.ts'
import { SelectField, TextField } from '#web/site/form/field.tsx'
import classes from './buy.module.css'
import { VinField } from './vin-field.tsx'

type Problems = { problems: Readonly<Record<string, string>> }

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.step}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}

type HowProps = {
  listing: Listing
  choices: readonly Delivery[]
  chosen: Delivery
  onChoose: (delivery: Delivery) => void
  children: ReactNode
}

/** Shipping or pickup; the only way is said, not asked. */
export function HowFields({ listing, choices, chosen, onChoose, children }: HowProps) {
  const words = { ship: 'Ship it to me', pickup: `I’ll pick it up in ${placeOf(listing) || 'the yard'}` }
  return (
    <Step title="How do you want to get it?">
      {choices.length > 1 ? (
        <div>
          {choices.map((choice) => (
            <label key={choice} className={classes.choice}>
              <input
                type="radio"
                name="delivery"
                value={choice}
                checked={choice === chosen}
                onChange={() => onChoose(choice)}
              />
              {words[choice]}
            </label>
          ))}
        </div>
      ) : (
        <p>{chosen === 'ship' ? 'It ships to you.' : `Pickup only, in ${placeOf(listing) || 'the yard'}.`}</p>
      )}
      {children}
    </Step>
  )
}

/** What becomes of the others if the yard cannot find one: chosen before paying. */
export const MissingFields = ({ problems, isTaxed }: Problems & { isTaxed: boolean }) => (
  <Step title="If one part is missing">
    {isTaxed ? (
      // The tax is of the whole order.
      <p>
        <input type="hidden" name="ifMissing" value="cancel" />
        Everything is canceled, and you pay nothing. To get the others anyway, order each by itself.
      </p>
    ) : (
      <div>
        <label className={classes.choice}>
          <input type="radio" name="ifMissing" value="send" defaultChecked />
          Send the rest. I pay only for that.
        </label>
        <label className={classes.choice}>
          <input type="radio" name="ifMissing" value="cancel" />
          Cancel everything. I need all of them.
        </label>
      </div>
    )}
    {problems.ifMissing !== undefined && <p role="alert">{problems.ifMissing}</p>}
  </Step>
)

const MOST_CHOICES = 99

type QuantityProps = { most: number; value: number; onChange: (quantity: number) => void }

export const QuantityField = ({ most, value, onChange }: QuantityProps) => (
  <SelectField
    label="Quantity"
    name="quantity"
    value={value}
    onChange={(event) => onChange(Number(event.target.value))}
  >
    {Array.from({ length: Math.min(most, MOST_CHOICES) }, (_, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the number is the choice
      <option key={place}>{place + 1}</option>
    ))}
  </SelectField>
)

// Only for buyers who are signed in.
const KnownAddresses = lazy(async () => ({ default: (await import('./known-addresses.tsx')).KnownAddresses }))

type AddressProps = Problems & { zip: string; onZip: (zip: string) => void }

export function AddressFields({ problems, zip, onZip }: AddressProps) {
  const { token } = useSession()
  return (
    <Step title="Where does it go?">
      {token !== undefined && (
        <Suspense>
          <KnownAddresses onUse={(address) => onZip(address.zip)} />
        </Suspense>
      )}
      <TextField
        label="Street address"
        name="address.line1"
        autoComplete="shipping address-line1"
        maxLength={120}
        required
        error={problems['address.line1'] ?? problems.address}
      />
      <TextField
        label="Apartment or suite (optional)"
        name="address.line2"
        autoComplete="shipping address-line2"
        maxLength={120}
        error={problems['address.line2']}
      />
      <TextField
        label="City"
        name="address.city"
        autoComplete="shipping address-level2"
        maxLength={80}
        required
        error={problems['address.city']}
      />
      <div className={classes.pair}>
        <SelectField
          label="State"
          name="address.state"
          autoComplete="shipping address-level1"
          required
          defaultValue=""
          error={problems['address.state']}
        >
          <option value="">Choose a state</option>
          {states.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="ZIP code"
          name="address.zip"
          autoComplete="shipping postal-code"
          inputMode="numeric"
          maxLength={10}
          pattern="\d{5}(-\d{4})?"
          title="A ZIP code has 5 digits, such as 74101"
          required
          value={zip}
          onChange={(event) => onZip(event.target.value.trim())}
          error={problems['address.zip'] ?? problems.zip}
        />
      </div>
    </Step>
  )
}

type BuyerProps = Problems & { listing: Listing; name: string | undefined; email: string | undefined }

export function BuyerFields({ problems, listing, name, email }: BuyerProps) {
  return (
    <>
      <Step title="Who buys it?">
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          maxLength={80}
          required
          defaultValue={name}
          error={problems.name}
        />
        <TextField
          label="Email"
          description="We send your order’s link there. No account needed."
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          title="Enter an email address, such as ann@example.com"
          defaultValue={email}
          error={problems.email}
        />
        <TextField
          label="Phone (optional)"
          description={`For ${sellerName(listing)} or the carrier, once the order is confirmed.`}
          name="phone"
          type="tel"
          autoComplete="tel"
          maxLength={40}
          error={problems.phone}
        />
      </Step>
      <Step title="Does it fit your vehicle?">
        <VinField listing={listing} error={problems.vin} />
      </Step>
    </>
  )
}
