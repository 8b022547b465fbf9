import { deadlineInWords, onOneLine } from '#contract/order/order-words.ts'
import type { ReturnKind, ReturnReason, ReturnState } from '#contract/order/returns/return-steps.ts'
import { reasonsInWords } from '#contract/order/returns/return-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { Letter, MailedOrder } from './order-mails.ts'

/* Emails about returns, claims and cores: all have a deadline, or are about money, so no switch ends them. */

export type MailedReturn = {
  kind: ReturnKind
  reason: ReturnReason
  state: ReturnState
  deadline: { at: string; zone: string } | null
  /** What goes back if it is approved. */
  amountCents: number
  /** The yard's name and address; empty if it is not known. */
  sendTo: readonly string[]
  sentences: { buyer: string; seller: string }
}

type Side = 'buyer' | 'seller'
type Lead = (order: MailedOrder, said: Said) => string
type Said = { by: string; noun: string; why: string; amount: string }
type Leads = { buyer?: Lead; seller?: Lead; button?: Partial<Record<Side, string>> }

const nouns: Readonly<Record<ReturnKind, string>> = { return: 'return', claim: 'claim', core: 'old part' }

/** What happened and what to do, by occasion. */
const leads: Readonly<Record<string, Leads>> = {
  ask: {
    seller: ({ buyer }, { by, noun, why }) =>
      noun === 'claim' ? `answer ${buyer}’s claim${by}: ${why}` : `answer ${buyer}’s return${by}: ${why}`,
    button: { seller: 'Approve or decline' },
  },
  approve: {
    buyer: ({ yard }, { by }) => `Send the part back to ${yard}${by}`,
    button: { buyer: 'Say that you sent it' },
  },
  allow: {
    buyer: ({ yard }, { by }) => `Send the part back to ${yard}${by}`,
    seller: ({ buyer }) => `we decided: ${buyer} sends the part back`,
    button: { buyer: 'Say that you sent it' },
  },
  decline: {
    buyer: ({ yard }, { by, noun }) => `${yard} declined your ${noun}, ask us to decide${by}`,
    button: { buyer: 'See the answer' },
  },
  appeal: { seller: ({ buyer }, { noun }) => `${buyer} asked us to decide the ${noun}` },
  unanswered: {
    buyer: ({ yard }, { noun }) => `${yard} did not answer, we decide your ${noun}`,
    seller: (_order, { noun }) => `not answered in time, we decide the ${noun}`,
  },
  contest: {
    buyer: ({ yard }, { noun }) => `${yard} has a problem with what came back, we decide your ${noun}`,
  },
  close: { buyer: ({ yard }, { noun }) => `Your ${noun} at ${yard} has ended` },
  refuse: {
    buyer: ({ yard }, { noun }) => `We decided your ${noun} for ${yard}`,
    seller: (_order, { noun }) => `we decided the ${noun} for you`,
  },
  send: {
    seller: ({ buyer }, { noun }) =>
      `${buyer} sent the ${noun === 'return' ? 'part' : noun} back, say when you have it`,
    button: { seller: 'Say that it is there' },
  },
  withdraw: { seller: ({ buyer }, { noun }) => `${buyer} withdrew the ${noun}` },
  lapse: {
    buyer: ({ yard }, { noun }) =>
      noun === 'old part'
        ? `The time for your old part is over at ${yard}`
        : `Not sent back in time, your return at ${yard} has ended`,
    seller: (_order, { noun, amount }) =>
      noun === 'old part'
        ? `core not returned, ${amount} is yours`
        : 'not sent back in time, the return has ended',
  },
  core: {
    buyer: ({ yard }, { by, amount }) => `Send your old part to ${yard}${by} and get ${amount} back`,
    button: { buyer: 'Print the core slip' },
  },
  reminder: {
    buyer: ({ yard }, { by, amount }) =>
      `Reminder, send your old part to ${yard}${by} and get ${amount} back`,
    button: { buyer: 'Print the core slip' },
  },
}

export const returnMailOccasions = Object.keys(leads)

/** The letters of what happened; undefined if nobody is mailed. */
export function returnLetters(
  occasion: string,
  mailed: MailedReturn,
): { buyer?: Letter; seller?: Letter } | undefined {
  if (!Object.hasOwn(leads, occasion)) return undefined
  const found = leads[occasion]
  const letterOf = (side: Side): Letter | undefined => {
    const lead = found?.[side]
    const button = found?.button?.[side]
    return (
      lead && {
        lead: (order) => lead(order, saidOf(mailed, order.now)),
        ...(button !== undefined && { button }),
        opening: () => onOneLine(mailed.sentences[side]),
        reason: (order) => `${onOneLine(authorOf(occasion, order))} wrote:`,
        alone: true,
        ...(side === 'buyer' && { more: () => addressOf(mailed) }),
      }
    )
  }
  const [buyer, seller] = [letterOf('buyer'), letterOf('seller')]
  return { ...(buyer && { buyer }), ...(seller && { seller }) }
}

const authorOf = (occasion: string, { buyer, yard }: MailedOrder): string => {
  if (occasion === 'ask') return buyer
  return occasion === 'refuse' ? 'We' : yard
}

function saidOf({ kind, reason, deadline, amountCents }: MailedReturn, now: Date | undefined): Said {
  return {
    by: deadline === null ? '' : ` by ${deadlineInWords(deadline.at, deadline.zone, now)}`,
    noun: nouns[kind],
    why: reasonsInWords[reason],
    amount: moneyInWords(amountCents),
  }
}

const addressOf = ({ state, sendTo }: MailedReturn): string[] =>
  state === 'approved' && sendTo.length > 0 ? [`Send it to:\n${sendTo.map(onOneLine).join('\n')}`] : []
