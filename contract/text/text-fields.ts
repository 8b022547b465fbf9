import { z } from 'zod'
import { isOneLine, notOneLine } from './one-line.ts'

/** A text that must be filled in; `label` starts its messages. */
export const requiredText = (label: string, longest: number) =>
  z
    .string(`${label} is required`)
    .trim()
    .min(1, `${label} is required`)
    .max(longest, `${label} can have at most ${longest.toLocaleString('en-US')} characters`)

/** A name or title. */
export const requiredLine = (label: string, longest: number) =>
  requiredText(label, longest).refine(isOneLine, notOneLine(label))

export const emailAddress = z.email('Enter an email address such as name@example.com').max(254)
