import { useState } from 'react'
import type { User } from '#contract/account/accounts.ts'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importField,
  importFieldLabels,
  importFields,
  readSplits,
  withSplits,
} from '#contract/csv/import-fields.ts'
import { grades } from '#contract/listing/listing-rules.ts'
import { parseRecord } from '#web/api/browser-storage.ts'

export type FieldsJson = {
  text: string
  /** Why the text cannot be used. */
  problem: string | undefined
  write: (text: string) => void
}

/** Keeps a JSON text area and the field inputs in sync. */
export function useFieldsJson(
  fields: FieldTexts,
  setFields: (fields: FieldTexts) => void,
  words: FieldsWords,
): FieldsJson {
  const standard = fieldsJson(fields)
  // The text as typed, until an input changes a value.
  const [draft, setDraft] = useState({ text: standard, means: standard })
  const typed = draft.means === standard ? draft.text : standard
  const written = readFieldsJson(typed, words)
  return {
    text: typed,
    problem: written.problem,
    write(text) {
      const next = readFieldsJson(text, words)
      // Invalid text leaves the inputs unchanged.
      if (next.problem !== undefined) return setDraft({ text, means: standard })
      setDraft({ text, means: fieldsJson(next.fields) })
      if (fieldsJson(next.fields) !== standard) setFields(next.fields)
    },
  }
}

/** A mapping may also split columns. */
type FieldTexts = ImportMapping

export type ParsedFields = { fields: FieldTexts; problem?: undefined } | { problem: string }

/** `invalid` is the sentence for text that is not a JSON object; `what` is the noun in the others. */
type FieldsWords = { what: 'mapping' | 'defaults'; invalid: string }

/** Parses them as the server does. Blank text is an empty object. */
export function readFieldsJson(text: string, { what, invalid }: FieldsWords): ParsedFields {
  if (text.trim() === '') return { fields: {} }
  const written = parseRecord(text)
  if (written === undefined) return { problem: invalid }
  const fields: FieldTexts = {}
  const splits = what === 'mapping' ? readSplits(written.split) : []
  if (typeof splits === 'string') return { problem: splits }
  const texts = Object.entries(written).filter(([name]) => what === 'defaults' || name !== 'split')
  for (const [name, value] of texts) {
    const field = importField(name)
    if (field === undefined)
      return { problem: `The ${what} names a field that does not exist: “${name.slice(0, 60)}”` }
    const plain = plainText(value)
    if (plain === undefined) return { problem: `The ${what} of ${importFieldLabels[field]} must be text` }
    if (plain === '') continue
    if (fields[field] !== undefined) return { problem: `The ${what} names ${importFieldLabels[field]} twice` }
    fields[field] = plain
  }
  return { fields: withSplits(fields, splits) }
}

function plainText(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** In field order and without empty values, so that equal fields give equal text. */
export function fieldsJson(fields: FieldTexts): string {
  const given = importFields.filter((field) => fields[field]?.trim())
  const { split } = fields
  if (given.length === 0 && split === undefined) return ''
  const texts = Object.fromEntries(given.map((field) => [field, fields[field]]))
  return JSON.stringify({ ...texts, ...(split && { split }) }, null, 2)
}

export function defaultsOf({ listingDefaults }: Pick<User, 'listingDefaults'>): ImportDefaults {
  const { city, state, dealerName, dealerPhone, shipping, grade } = listingDefaults
  return withoutEmpty({
    partcity: city,
    partstate: state,
    dealername: dealerName,
    dealerphone: dealerPhone,
    partshipping: shipping,
    partgrade: grades.find((letter) => letter === grade?.trim().toUpperCase()),
  })
}

export function withoutEmpty(defaults: { [F in ImportField]?: string | undefined }): ImportDefaults {
  const given = Object.entries(defaults).map(([field, text]) => [field, text?.trim() ?? ''])
  return Object.fromEntries(given.filter(([, text]) => text !== ''))
}
