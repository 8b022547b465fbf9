import type { RowCheck } from '#server/features/imports/check-row.ts'

type Checked = ReturnType<RowCheck>

/** What a good row came out as; the other fails where the row was good. */
export const fieldsOf = (result: Checked) => {
  if ('issues' in result) throw new Error(JSON.stringify(result.issues))
  return result.fields
}
export const issuesOf = (result: Checked) => {
  if ('fields' in result) throw new Error(`a good row: ${JSON.stringify(result.fields)}`)
  return result.issues
}
