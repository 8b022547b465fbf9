import type { NewMail } from '#server/features/mail/mail.ts'
import type { Sums } from './conversion.ts'
import type { DayRange } from './day-range.ts'

/** A seller's week. */
export type Summary = Sums & {
  range: DayRange
  unanswered: number
  topParts: readonly { slug: string; title: string; views: number; leads: number }[]
}

/** Nobody is written to only to read that nothing happened. */
export function isWorthTelling({ views, leads, unanswered }: Summary): boolean {
  return views > 0 || leads > 0 || unanswered > 0
}

export function summaryMail(
  to: { name: string; email: string },
  summary: Summary,
  { publicUrl, productName }: { publicUrl: string; productName: string },
): NewMail {
  const { views, leads, conversionPercent, unanswered, range } = summary
  const page = (path: string) => `${publicUrl}/dashboard/seller/${path}`
  const parts = summary.topParts.map(
    (part) =>
      `- ${part.title}: ${count(part.views, 'view')}, ${count(part.leads, 'message')}\n  ${publicUrl}/parts/${encodeURIComponent(part.slug)}`,
  )
  return {
    to: to.email,
    subject: `Your week on ${productName}: ${count(views, 'view')}, ${count(leads, 'message')}`,
    body: `${[
      `Hello ${to.name},`,
      `Your week from ${inWords(range.from)} to ${inWords(range.to)}:`,
      [
        `Views of your listings: ${views.toLocaleString('en-US')}`,
        `Messages from buyers: ${leads.toLocaleString('en-US')}`,
        ...(conversionPercent === null ? [] : [`Messages per 100 views: ${conversionPercent}`]),
      ].join('\n'),
      ...(unanswered === 0
        ? []
        : [`${count(unanswered, 'message')} not answered yet:\n${page('leads?state=new')}`]),
      ...(parts.length === 0 ? [] : [`Most viewed:\n${parts.join('\n')}`]),
      `All figures: ${page('analytics')}`,
      `${productName} sends this on Mondays while "Send me a weekly summary" is on in your settings:\n${page('account-settings')}`,
    ].join('\n\n')}\n`,
  }
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}

function inWords(day: string): string {
  return new Date(day).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}
