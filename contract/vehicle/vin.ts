import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'

/* What a VIN says about a car. */

/** Maximum VINs of one call. */
const MAX_VINS = 1_000

const text = z.string().nullable()

const vinVehicle = z.object({
  /** In capitals, without spaces and dashes. */
  vin: z.string(),
  /** The check digit is right, or the car was built for a market without one. */
  valid: z.boolean(),
  /** What is wrong or unknown, in sentences. */
  problems: z.array(z.string()),
  /** Likely intended VINs if the check digit is wrong, most likely first. */
  suggestions: z.array(z.string()),
  year: z.int().nullable(),
  /** The make and the model by their names in our lookups if they are there, else the maker's names. */
  make: text,
  model: text,
  series: text,
  trim: text,
  body: text,
  doors: z.int().nullable(),
  /** Such as "3.5L V6 turbo". */
  engine: text,
  engineParts: z
    .object({
      liters: z.number().nullable(),
      cylinders: z.number().nullable(),
      layout: text,
      model: text,
      turbo: z.boolean().nullable(),
    })
    .nullable(),
  fuel: text,
  drive: text,
  transmission: text,
  makeId: z.uuid().nullable(),
  modelId: z.uuid().nullable(),
  /** From 0 to 1 for each field that is known. */
  certainty: z.record(z.string(), z.number().min(0).max(1)),
})
export type VinVehicle = z.infer<typeof vinVehicle>

/** A text in a batch that is not a VIN. */
const notAVin = z.object({
  vin: z.string(),
  error: z.string(),
  /** The position of the first character that is wrong, missing or extra, counted from 1. */
  position: z.int(),
  suggestions: z.array(z.string()),
})
export type NotAVin = z.infer<typeof notAVin>

export const vinEndpoints = endpoints({
  decodeVin: {
    summary: 'The vehicle for a VIN, with problems of the VIN and the confidence of each field',
    params: z.object({ vin: z.string().min(1).max(100) }),
    reply: vinVehicle,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  },
  decodeVins: {
    summary: `The vehicles for up to ${MAX_VINS.toLocaleString('en-US')} VINs, in that order`,
    body: z.object({
      vins: z.array(z.string().min(1).max(100)).max(MAX_VINS, `vins lists up to ${MAX_VINS} VINs`),
    }),
    reply: z.object({ items: z.array(z.union([vinVehicle, notAVin])) }),
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
})
