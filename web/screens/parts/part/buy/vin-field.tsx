import { useEffect, useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { sellerName } from '#web/site/card/listing-words.ts'
import { TextField } from '#web/site/form/field.tsx'
import classes from './buy.module.css'
import type { VinFit } from './vin-fit.ts'

const VIN_LENGTH = 17

/** The buyer's VIN, and whether the part fits its vehicle once all of it is typed. */
export function VinField({ listing, error }: { listing: Listing; error: string | undefined }) {
  const [typed, setTyped] = useState('')
  const fit = useVinFit(typed.replaceAll(/[\s-]/g, '').toUpperCase(), listing.id)
  return (
    <>
      <TextField
        label="VIN (optional)"
        description={`${sellerName(listing)} checks the part against it. 17 letters and digits, on the dashboard or registration.`}
        name="vin"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        maxLength={20}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={error}
      />
      <p role="status" className={classes.vinFit} data-tone={fit?.tone}>
        {fit?.text}
      </p>
    </>
  )
}

function useVinFit(vin: string, listingId: string): VinFit | undefined {
  const [known, setKnown] = useState<{ vin: string; fit: VinFit | undefined }>()
  useEffect(() => {
    if (vin.length !== VIN_LENGTH) return
    const controller = new AbortController()
    void import('./vin-fit.ts')
      .then(({ readVinFit }) => readVinFit(vin, listingId, controller.signal))
      .then(
        (fit) => !controller.signal.aborted && setKnown({ vin, fit }),
        // Without the script, the yard still checks it.
        () => undefined,
      )
    return () => controller.abort()
  }, [vin, listingId])
  return known?.vin === vin ? known.fit : undefined
}
