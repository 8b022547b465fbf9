import { Anchor, Box, Group, Stack, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { isInForm, type ListingKind } from '#contract/listing/listing-fields.ts'
import { readYearSpan } from '#contract/listing/year-span.ts'
import { type VinVehicle, vinEndpoints } from '#contract/vehicle/vin.ts'
import { plainVin, vinFault } from '#contract/vehicle/vin-rules.ts'
import { call, queryClient } from '#web/api/client.ts'
import { ScanVin } from '#web/components/vin-scan/scan-vin.tsx'
import { belowInput } from './fields.tsx'
import type { ListingValues } from './listing-values.ts'
import { useField, useFormContext, useFormValues } from './use-listing-form.ts'

/* The VIN of the car a part came from. It fills in the car's empty fields and shows where the others contradict it. */

// Below this a field is a guess: one of two trims, or anything from a VIN with a wrong check digit.
const SURE = 0.75

/** What a VIN fills into empty fields, and where it contradicts the form. */
function fromVin(kind: ListingKind, values: ListingValues, vehicle: VinVehicle): Filled {
  const { fill, contradictions } = yearFromVin(values, vehicle)
  const { makeId, modelId, certainty } = vehicle
  const sure = (field: 'make' | 'model' | 'trim' | 'body') =>
    (certainty[field] ?? 0) >= SURE ? (vehicle[field] ?? '') : ''
  const [make, model] = [sure('make'), sure('model')]
  if (makeId === null || make === '') return { fill, contradictions }
  if (values.partmanuId === '') Object.assign(fill, { partmanuId: makeId, partmanuname: make })
  else if (values.partmanuId !== makeId) {
    return { fill, contradictions: [...contradictions, differs(make, 'manufacturer', values.partmanuname)] }
  }
  if (modelId !== null && model !== '') {
    if (values.partmodel === '') Object.assign(fill, { partmodel: model, partmodelId: modelId })
    else if (!isSameFamily(values.partmodel, model))
      contradictions.push(differs(model, 'model', values.partmodel))
  }
  if (values.parttrim === '' && isInForm('parttrim', kind)) fill.parttrim = sure('trim')
  if (values.bodystyle === '') fill.bodystyle = sure('body')
  return { fill, contradictions }
}

type Filled = { fill: Partial<ListingValues>; contradictions: string[] }

function yearFromVin({ partyear }: ListingValues, { year, certainty }: VinVehicle): Filled {
  if (year === null || (certainty.year ?? 0) < SURE) return { fill: {}, contradictions: [] }
  if (partyear === '') return { fill: { partyear: String(year) }, contradictions: [] }
  const span = readYearSpan(partyear)
  const isOther = span !== undefined && (year < span.from || year > span.to)
  return { fill: {}, contradictions: isOther ? [differs(String(year), 'year', partyear)] : [] }
}

const differs = (says: string, noun: string, written: string) =>
  `The VIN says ${says}; the ${noun} here is ${written}.`

/** A Silverado and a Silverado 1500. */
function isSameFamily(one: string, other: string): boolean {
  const [a, b] = [one.trim().toLowerCase(), other.toLowerCase()]
  return a.startsWith(b) || b.startsWith(a)
}

type VinResult = { vin: string; car?: string; notes: readonly string[]; suggestions: readonly string[] }

export function VinField() {
  const { kind, disabled } = useFormContext()
  const form = useFormValues()
  const { input, set } = useField('vin')
  const [result, setResult] = useState<VinResult>()
  const lastVin = useRef('')

  const read = async (typed: string) => {
    const vin = plainVin(typed)
    if (vin !== typed) set(vin)
    if (vin === lastVin.current) return
    lastVin.current = vin
    const fault = vin === '' ? undefined : vinFault(vin)
    setResult(fault && { vin, notes: [`${fault.sentence}.`], suggestions: fault.suggestions })
    const vehicle = vin === '' || fault ? undefined : await decode(vin)
    // Another VIN may have been typed since.
    if (vehicle && lastVin.current === vin) fillIn(vehicle)
  }

  const fillIn = (vehicle: VinVehicle) => {
    const { fill, contradictions } = fromVin(kind, form.getValues(), vehicle)
    form.setValues(fill)
    for (const field of Object.keys(fill)) form.clearFieldError(field)
    const { vin, problems, suggestions } = vehicle
    setResult({ vin, car: carOf(vehicle), notes: [...problems, ...contradictions], suggestions })
  }

  const take = (vin: string) => {
    set(vin)
    void read(vin)
  }
  const shown = result?.vin === input.value ? result : undefined
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
        inputContainer={(typed) => (
          <Group gap="xs" wrap="nowrap">
            <Box flex={1}>{typed}</Box>
            <ScanVin onRead={take} disabled={disabled} />
          </Group>
        )}
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
            onClick={() => take(vin)}
          >
            Use {vin}
          </Anchor>
        ))}
      </div>
    </Stack>
  )
}

/** Undefined if the server does not respond: the form works without it. */
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
