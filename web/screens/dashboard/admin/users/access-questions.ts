import type { Person } from '#contract/admin-people.ts'

/** What is asked before, and what is said afterwards. */
export type Question = { title: string; text: string; confirm: string; destroys?: boolean; done: string }

type Step =
  | 'giveAdmin'
  | 'takeAdmin'
  | 'givePro'
  | 'takePro'
  | 'giveTrust'
  | 'takeTrust'
  | 'disable'
  | 'enable'
  | 'signOut'

/** Every question names the person; `self` where it is the admin's own account. */
export function accessQuestions(
  { name, email, activeListings }: Pick<Person, 'name' | 'email' | 'activeListings'>,
  { self }: { self: boolean },
): Record<Step, Question> {
  const who = `${name} (${email})`
  const yours = self ? ' This is your own account.' : ''
  return {
    giveAdmin: {
      title: `Make ${name} an administrator?`,
      text: `${who} will see and change every listing, name and account.`,
      confirm: 'Make administrator',
      done: `${name} is an administrator`,
    },
    takeAdmin: {
      title: `Take the admin area from ${name}?`,
      text: `${who} stays a seller with the listings there are.${yours}`,
      confirm: 'Take admin role',
      destroys: true,
      done: `${name} is no administrator any more`,
    },
    givePro: {
      title: `Grant ${name} Pro?`,
      text: `${who} has the Pro tools from now on, without paying, until you take the grant back.`,
      confirm: 'Grant Pro',
      done: `${name} has Pro by grant`,
    },
    takePro: {
      title: `Take the Pro grant from ${name}?`,
      text: `${who} keeps every listing. Pro stays only where a subscription pays for it.`,
      confirm: 'Take Pro grant',
      destroys: true,
      done: `${name} has no Pro grant any more`,
    },
    giveTrust: {
      title: `Trust the imports of ${name}?`,
      text: `Files of ${who} go live without anybody looking at them first.`,
      confirm: 'Trust imports',
      done: `Imports of ${name} go live by themselves`,
    },
    takeTrust: {
      title: `Review the imports of ${name} again?`,
      text: `Files of ${who} wait for a review before they go live.`,
      confirm: 'Review imports',
      done: `Imports of ${name} wait for a review`,
    },
    disable: {
      title: `Disable the account of ${name}?`,
      text: `${who} is signed out everywhere and cannot sign in. ${stays(activeListings)}${yours}`,
      confirm: 'Disable account',
      destroys: true,
      done: `The account of ${name} is disabled`,
    },
    enable: {
      title: `Enable the account of ${name}?`,
      text: `${who} can sign in again.`,
      confirm: 'Enable account',
      done: `The account of ${name} is enabled`,
    },
    signOut: {
      title: `Sign ${name} out everywhere?`,
      text: `Every device of ${who} is signed out; the password stays as it is.${yours}`,
      confirm: 'Sign out everywhere',
      destroys: true,
      done: '',
    },
  }
}

function stays(listings: number): string {
  if (listings === 0) return 'There are no active listings.'
  const many =
    listings === 1
      ? 'The active listing stays'
      : `The ${listings.toLocaleString('en-US')} active listings stay`
  return `${many} on sale.`
}
