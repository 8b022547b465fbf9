import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { isInForm, type ListingField, type ListingKind } from '#contract/listing/listing-fields.ts'
import { readYearSpan } from '#contract/listing/year-span.ts'
import { type VinVehicle, vinEndpoints } from '#contract/vehicle/vin.ts'
import { plainVin, vinFault } from '#contract/vehicle/vin-rules.ts'
import { call, queryClient } from '#web/api/client.ts'
import { belowInput } from './fields.tsx'
import { labelOf } from './listing-problems.ts'
import type { ListingValues } from './listing-values.ts'
import { useField, useFormContext } from './use-listing-form.ts'

/* The VIN of the car a part came from. It fills the fields of the car that are empty, and says what contradicts them. */

// Below this a field is a guess: one of two trims, or anything behind a wrong check digit.
const SURE = 0.75

/** What a VIN fills in, of the fields that are empty, and where it says something else than the form. */
export function fromVin(
  kind: ListingKind,
  values: ListingValues,
  vehicle: VinVehicle,
): { fill: Partial<ListingValues>; contradictions: string[] } {
  const known = (field: string) => (vehicle.certainty[field] ?? 0) >= SURE
  const fill: Partial<ListingValues> = {}
  const contradictions: string[] = []
  const differs = (field: ListingField, says: string) =>
    contradictions.push(`The VIN says ${says}; ${labelOf(kind, field).toLowerCase()} is ${values[field]}.`)
  const { year, make, makeId, model, modelId, trim, body } = vehicle
  if (year !== null && known('year')) {
    const span = readYearSpan(values.partyear)
    if (values.partyear === '') fill.partyear = String(year)
    else if (span && (year < span.from || year > span.to)) differs('partyear', String(year))
  }
  const isSameMake = values.partmanuId === '' || values.partmanuId === makeId
  if (make !== null && makeId !== null && known('make')) {
    if (values.partmanuId === '') Object.assign(fill, { partmanuId: makeId, partmanuname: make })
    else if (!isSameMake) differs('partmanuname', make)
  }
  if (model !== null && modelId !== null && known('model') && isSameMake) {
    if (values.partmodel === '') Object.assign(fill, { partmodel: model, partmodelId: modelId })
    else if (!isSameFamily(values.partmodel, model)) differs('partmodel', model)
  }
  if (trim !== null && known('trim') && values.parttrim === '' && isInForm('parttrim', kind))
    fill.parttrim = trim
  if (body !== null && known('body') && values.bodystyle === '') fill.bodystyle = body
  return { fill, contradictions }
}

/** A Silverado and a Silverado 1500. */
function isSameFamily(one: string, other: string): boolean {
  const [a, b] = [one.trim().toLowerCase(), other.toLowerCase()]
  return a.startsWith(b) || b.startsWith(a)
}

type Told = { vin: string; car?: string; notes: readonly string[]; suggestions: readonly string[] }

export function VinField() {
  const { kind, form, disabled } = useFormContext()
  const { input, set } = useField('vin')
  const [told, setTold] = useState<Told>()
  const asked = useRef('')

  const read = async (typed: string) => {
    const vin = plainVin(typed)
    if (vin !== typed) set(vin)
    if (vin === asked.current) return
    asked.current = vin
    setTold(undefined)
    const fault = vin === '' ? undefined : vinFault(vin)
    if (fault) setTold({ vin, notes: [`${fault.sentence}.`], suggestions: fault.suggestions })
    if (vin === '' || fault) return
    const vehicle = await decode(vin)
    // Another VIN may have been typed since.
    if (!vehicle || asked.current !== vin) return
    const { fill, contradictions } = fromVin(kind, form.getValues(), vehicle)
    form.setValues(fill)
    for (const field of Object.keys(fill)) form.clearFieldError(field)
    setTold({
      vin,
      car: carOf(vehicle),
      notes: [...vehicle.problems, ...contradictions],
      suggestions: vehicle.suggestions,
    })
  }

  const shown = told?.vin === input.value ? told : undefined
  return (
    <Stack gap={4}>
      <TextInput
        {...input}
        onChange={(event) => set(event.currentTarget.value)}
        onBlur={(event) => {
          input.onBlur()
          void read(event.currentTarget.value)
        }}
        placeholder="1HGCM82633A004352"
        description="Fills in the car. Hidden from buyers."
        inputWrapperOrder={belowInput}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <div role="status">
        {shown?.car && <Text size="sm">{shown.car}</Text>}
        {shown?.notes.map((note) => (
          <Text key={note} size="sm" c="var(--mantine-color-error)">
            {note}
          </Text>
        ))}
        {shown?.suggestions.map((vin) => (
          <Anchor
            key={vin}
            component="button"
            type="button"
            size="sm"
            mr="md"
            disabled={disabled}
            onClick={() => {
              set(vin)
              void read(vin)
            }}
          >
            Use {vin}
          </Anchor>
        ))}
      </div>
    </Stack>
  )
}

/** Undefined if the server does not answer: the form is as good without it. */
const decode = (vin: string) =>
  queryClient
    .fetchQuery({
      queryKey: ['vin', vin],
      queryFn: ({ signal }) => call(vinEndpoints.decodeVin, { params: { vin }, signal }),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })
    .catch(() => undefined)

const carOf = ({ year, make, model, trim, body, engine }: VinVehicle): string =>
  [year, make, model, trim, body, engine].filter((known) => known !== null).join(' ')
