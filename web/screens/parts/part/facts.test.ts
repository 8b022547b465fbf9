import { expect, test } from 'vitest'
import { replyNameOf, specOf, textFields } from '#contract/listing/listing-fields.ts'
import { fieldLabels } from '#contract/listing/listing-rules.ts'
import { otherFacts } from './facts.tsx'

test('the page lists the fields that the listing’s table marks as facts, under their labels', () => {
  const marked = textFields.filter((field) => specOf(field).fact)
  expect(otherFacts).toEqual(
    Object.fromEntries(marked.map((field) => [replyNameOf(field), fieldLabels[field]])),
  )
})
