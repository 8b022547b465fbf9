import { expect, test } from 'vitest'
import { isWorthSending, type Summary, summaryMail } from './weekly-summary.ts'

const quiet: Summary = {
  range: { from: '2026-03-02', to: '2026-03-08' },
  views: 0,
  leads: 0,
  conversionPercent: null,
  unanswered: 0,
  topParts: [],
}
const site = { publicUrl: 'https://parts.example', productName: 'PartHarbor' }
const dana = { name: 'Dana', email: 'dana@yard.example', unsubscribeKey: 'a-key' }

test.each([
  [{}, false],
  [{ views: 1 }, true],
  [{ leads: 1 }, true],
  [{ unanswered: 1 }, true],
])('is a week with %j worth an email: %s', (changes, worth) => {
  expect(isWorthSending({ ...quiet, ...changes })).toBe(worth)
})

test('the whole summary', () => {
  const topParts = [{ slug: '2014-ford-horn-a1b2c3', title: '2014 Ford Horn', views: 1_200, leads: 1 }]
  const summary = { ...quiet, views: 1_500, leads: 30, conversionPercent: 2, unanswered: 1, topParts }
  expect(summaryMail(dana, summary, site)).toEqual({
    to: 'dana@yard.example',
    subject: 'Your week on PartHarbor: 1,500 views, 30 messages',
    unsubscribeUrl: 'https://parts.example/api/verify/unsubscribe/a-key.weeklySummary',
    body: `Hello Dana,

Your week from March 2, 2026 to March 8, 2026:

Views of your listings: 1,500
Messages from buyers: 30
Messages per 100 views: 2

1 unanswered message:
https://parts.example/dashboard/seller/leads?state=new

Most viewed:
- 2014 Ford Horn: 1,200 views, 1 message
  https://parts.example/parts/2014-ford-horn-a1b2c3

See all numbers: https://parts.example/dashboard/seller/analytics

PartHarbor sends this on Mondays while "Send me a weekly summary" is on in your settings:
https://parts.example/dashboard/seller/account-settings
Stop these emails: https://parts.example/unsubscribe#a-key.weeklySummary
`,
  })
})

test('empty sections are left out', () => {
  const { body } = summaryMail(dana, { ...quiet, unanswered: 2 }, site)
  expect(body).toContain('2 unanswered messages')
  expect(body).not.toMatch(/per 100 views|Most viewed/)
})
