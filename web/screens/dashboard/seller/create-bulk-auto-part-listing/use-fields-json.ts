import { useState } from 'react'
import { type FieldsWords, type FieldTexts, fieldsJson, readFieldsJson } from './fields-json.ts'

export type FieldsJson = {
  text: string
  /** What keeps the text from being used. */
  problem: string | undefined
  write: (text: string) => void
}

/** The same fields as JSON and in their pickers: what is written in one stands in the other. */
export function useFieldsJson(
  fields: FieldTexts,
  setFields: (fields: FieldTexts) => void,
  words: FieldsWords,
): FieldsJson {
  const standard = fieldsJson(fields)
  // As it was typed, until a picker says something else.
  const [draft, setDraft] = useState({ text: standard, means: standard })
  const typed = draft.means === standard ? draft.text : standard
  const written = readFieldsJson(typed, words)
  return {
    text: typed,
    problem: written.problem,
    write(text) {
      const next = readFieldsJson(text, words)
      // What cannot be read leaves the pickers as they are.
      if (next.problem !== undefined) return setDraft({ text, means: standard })
      setDraft({ text, means: fieldsJson(next.fields) })
      if (fieldsJson(next.fields) !== standard) setFields(next.fields)
    },
  }
}
