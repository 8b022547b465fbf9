import { type ReturnKind, type ReturnReason, type ReturnStepName, returnReasonNames } from './return-steps.ts'

/* What an order's timeline says about returns, claims and cores. Events are named `return-` and the step. */

export const returnEvents = {
  /** The buyer asked for it. */
  ask: 'return-ask',
  /** The order was delivered, and its core is to come back. */
  core: 'return-core',
  reminded: 'return-reminded',
} as const
export const eventOfStep = (step: ReturnStepName) => `return-${step}` as const

type Told = {
  /** Who did it, at the start of a sentence. */
  who: string
  /** "You" or the first name, "you" or the first name. */
  Buyer: string
  buyer: string
  Yard: string
  /** " $20", or nothing. */
  amount: string
  /** ": not on the shelf", or nothing. */
  reason: string
  tracking: string
  detail: Readonly<Record<string, unknown>>
}

type Named = Told & { kind: ReturnKind; noun: string; part: string; why: string }

/** A reason as a third person says it. */
export const reasonsInWords: Readonly<Record<ReturnReason, string>> = {
  'not-needed': 'not needed anymore',
  'ordered-wrong': 'ordered the wrong part',
  'doesnt-fit': 'doesn’t fit',
  damaged: 'came damaged',
  'wrong-part': 'the wrong part',
  'missing-pieces': 'pieces are missing',
  defective: 'doesn’t work',
  'not-arrived': 'never arrived',
  core: 'old part for the core charge',
}

const nouns: Readonly<Record<ReturnKind, string>> = { return: 'return', claim: 'claim', core: 'core' }

type Words = Readonly<Record<string, (told: Named) => string>>

const words: Words = {
  [returnEvents.ask]: ({ Buyer, kind, why }) =>
    kind === 'claim'
      ? `${Buyer} reported a problem${why && `: ${why}`}.`
      : `${Buyer} asked to return the part${why && `: ${why}`}.`,
  [returnEvents.core]: ({ buyer, amount }) =>
    `The old part is to come back, for the core charge${amount && ` of${amount}`} that ${buyer} paid.`,
  [returnEvents.reminded]: ({ buyer }) => `We reminded ${buyer} to send back the old part.`,
  'return-approve': ({ Yard }) => `${Yard} agreed to the return.`,
  'return-grant': ({ Yard }) => `${Yard} agreed to the claim.`,
  'return-decline': ({ Yard, noun, reason }) => `${Yard} declined the ${noun}${reason}.`,
  'return-appeal': ({ Buyer }) => `${Buyer} asked us to decide.`,
  'return-close': ({ noun }) => `The ${noun} ended with the yard’s answer.`,
  'return-unanswered': () => 'The yard did not answer in time, so we decide.',
  'return-send': ({ Buyer, part, tracking }) =>
    `${Buyer} sent back the ${part}${tracking && `, tracking number ${tracking}`}.`,
  'return-receive': ({ Yard, part }) => `${Yard} received the ${part}.`,
  'return-contest': ({ Yard, part, reason }) =>
    `${Yard} received the ${part}, but not as it should be${reason}. We decide.`,
  'return-lapse': ({ kind, part }) =>
    kind === 'core'
      ? 'The old part did not come back in time. The core charge is the yard’s.'
      : `The ${part} was not sent back in time, so the return ended.`,
  'return-refund': ({ who, noun }) => `${who} decided the ${noun} for the buyer.`,
  'return-split': ({ who, noun, amount }) => `${who} divided the ${noun}:${amount} goes back to the buyer.`,
  'return-refuse': ({ who, noun }) => `${who} decided the ${noun} for the yard.`,
  'return-allow': ({ who }) => `${who} decided that the part may be sent back.`,
  'return-settle': ({ noun }) => `The ${noun} was open for too long, so it counts for the buyer.`,
  'return-withdraw': ({ Buyer, noun }) => `${Buyer} withdrew the ${noun}.`,
  'return-void': ({ noun }) => `The ${noun} ended, as the money went back.`,
}

/** An entry in words; undefined for entries about something else. */
export function returnText(kind: string, told: Told): string | undefined {
  if (!Object.hasOwn(words, kind)) return undefined
  const of: ReturnKind = told.detail.of === 'claim' || told.detail.of === 'core' ? told.detail.of : 'return'
  const reason = returnReasonNames.find((name) => name === told.detail.reasonName)
  const named: Named = {
    ...told,
    kind: of,
    noun: nouns[of],
    part: of === 'core' ? 'old part' : 'part',
    why: reason === undefined ? '' : reasonsInWords[reason],
  }
  return words[kind]?.(named)
}
