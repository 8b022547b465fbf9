import { deadlineInWords } from '#contract/order/order-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { ReturnKind, ReturnReason, ReturnState } from './return-steps.ts'

/* The state of a return, claim or core read aloud: what happens next, until when, and what it costs if it does not. */

export type ReturnWords = {
  kind: ReturnKind
  state: ReturnState
  reason: ReturnReason
  yard: string
  /** The first name. */
  buyer: string
  /** What goes back if it is approved. */
  amountCents: number
  wayBack: 'buyer' | 'yard'
  deadline: { at: string; zone: string } | null
}

type Said = ReturnWords & { by: string; amount: string }
type Sentences = Record<'buyer' | 'seller', (said: Said) => string>

const ships = ({ wayBack, yard }: Said) =>
  wayBack === 'yard'
    ? `${yard} pays for sending it back: ask it for a label.`
    : 'You pay for sending it back. Keep the receipt.'

const returned: Readonly<Record<ReturnState, Sentences>> = {
  asked: {
    buyer: ({ yard, by }) => `${yard} answers${by}. If it does not, we decide.`,
    seller: ({ buyer, by, amount, kind }) =>
      kind === 'claim'
        ? `Answer ${buyer}${by}, or we decide. If you agree, ${amount} goes back, and ${buyer} may keep the part.`
        : `Answer ${buyer}${by}, or we decide. If you agree, the part comes back, and then ${amount} goes to ${buyer}.`,
  },
  declined: {
    buyer: ({ yard, by }) => `${yard} declined. If you do not agree, ask us to decide${by}.`,
    seller: ({ buyer, by }) => `You declined. ${buyer} can ask us to decide${by}; after that it ends.`,
  },
  deciding: {
    buyer: () => 'We are looking at both sides and decide. You have nothing to do.',
    seller: () => 'We are looking at both sides and decide. You have nothing to do.',
  },
  approved: {
    buyer: (said) =>
      `Send the part back${said.by}, and say so here. ${ships(said)} You get ${said.amount} once ${said.yard} has it.`,
    seller: ({ buyer, by, wayBack }) =>
      `${buyer} sends the part back${by}. ${wayBack === 'yard' ? `You pay for the way: send ${buyer} a label. ` : ''}Say so when you have it.`,
  },
  sent: {
    buyer: ({ yard, amount, by }) =>
      `The part is on its way back. You get ${amount} once ${yard} has it. If we hear nothing${by}, we decide.`,
    seller: ({ buyer, amount, by }) =>
      `The part is on its way back to you. Say so when you have it, and ${amount} goes to ${buyer}. Without your word${by}, we decide.`,
  },
  refunded: {
    buyer: () => 'Settled: your money is on its way. See the refunds of this order.',
    seller: ({ buyer }) => `Settled: the money goes back to ${buyer}.`,
  },
  refused: {
    buyer: () => 'Settled: no money goes back.',
    seller: () => 'Settled: no money goes back.',
  },
  withdrawn: {
    buyer: () => 'This has ended.',
    seller: () => 'This has ended.',
  },
  lapsed: {
    buyer: () => 'The part was not sent back in time, so the return has ended.',
    seller: () => 'The part was not sent back in time, so the return has ended.',
  },
}

const core: Readonly<Partial<Record<ReturnState, Sentences>>> = {
  approved: {
    buyer: ({ yard, by, amount }) =>
      `Bring or send your old part to ${yard}${by}, with the core slip, and you get ${amount} back.`,
    seller: ({ buyer, by, amount }) =>
      `${buyer} brings or sends the old part${by}. Scan its slip when you have it, and ${amount} goes back. After that, the core charge is yours.`,
  },
  sent: {
    buyer: ({ yard, amount, by }) =>
      `Your old part is on its way. You get ${amount} once ${yard} has it. If we hear nothing${by}, we decide.`,
    seller: ({ amount, by }) =>
      `The old part is on its way to you. Say so when you have it, and ${amount} goes back. Without your word${by}, we decide.`,
  },
  lapsed: {
    buyer: ({ yard }) => `The time for the old part is over. The core charge is ${yard}’s.`,
    seller: () => 'The time for the old part is over. The core charge is yours.',
  },
  refused: {
    buyer: ({ yard }) => `Settled: the core charge is ${yard}’s.`,
    seller: () => 'Settled: the core charge is yours.',
  },
}

export function returnSentence(words: ReturnWords, reader: 'buyer' | 'seller', now = new Date()): string {
  const { kind, state, deadline, amountCents } = words
  const by = deadline === null ? '' : ` by ${deadlineInWords(deadline.at, deadline.zone, now)}`
  const sentences = (kind === 'core' ? core[state] : undefined) ?? returned[state]
  return sentences[reader]({ ...words, by, amount: moneyInWords(amountCents) })
}
