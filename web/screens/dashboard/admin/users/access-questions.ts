import type { Person } from '#contract/admin/people.ts'

/** The confirmation, and the toast afterwards. */
export type Question = { title: string; text: string; confirm: string; destroys?: boolean; done: string }

/** Every question names the user; `self` for the admin's own account. */
export function accessQuestions(
  { name, email, ...selling }: Pick<Person, 'name' | 'email' | 'activeListings' | 'sellsAlone'>,
  { self }: { self: boolean },
) {
  const who = `${name} (${email})`
  const yours = self ? ' This is your own account.' : ''
  return {
    giveAdmin: {
      title: `Make ${name} an administrator?`,
      text: `${who} will see and change every listing, name, and account.`,
      confirm: 'Make administrator',
      done: `${name} is an administrator`,
    },
    takeAdmin: {
      title: `Remove admin access from ${name}?`,
      text: `${who} stays a seller and keeps all listings.${yours}`,
      confirm: 'Remove admin access',
      destroys: true,
      done: `${name} is no longer an administrator`,
    },
    givePro: {
      title: `Grant ${name} Pro?`,
      text: `${who} gets the Pro tools without paying until you remove the grant.`,
      confirm: 'Grant Pro',
      done: `${name} has Pro by grant`,
    },
    takePro: {
      title: `Remove the Pro grant from ${name}?`,
      text: `${who} keeps every listing. Pro continues only with a paid subscription.`,
      confirm: 'Remove Pro grant',
      destroys: true,
      done: `${name} no longer has a Pro grant`,
    },
    ...importQuestions(name, who),
    disable: {
      title: `Disable the account of ${name}?`,
      text: `${who} is signed out everywhere and cannot sign in; API tokens end permanently. ${takenDown(selling)}${yours}`,
      confirm: 'Disable account',
      destroys: true,
      done: `The account of ${name} is disabled`,
    },
    enable: {
      title: `Enable the account of ${name}?`,
      text: `${who} can sign in again.${backUp(selling)}`,
      confirm: 'Enable account',
      done: `The account of ${name} is enabled`,
    },
    signOut: {
      title: `Sign ${name} out everywhere?`,
      text: `Every device of ${who} is signed out, and all API tokens end; the password does not change.${yours}`,
      confirm: 'Sign out everywhere',
      destroys: true,
      done: '',
    },
  } satisfies Record<string, Question>
}

/** When imports go live: for trusted sellers at once, for reviewed ones after an administrator's approval. */
function importQuestions(name: string, who: string) {
  return {
    giveTrust: {
      title: `Trust the imports of ${name}?`,
      text: `Files from ${who} go live right away, even the first ones, and skip the review on a server that reviews imports.`,
      confirm: 'Trust imports',
      done: `Imports of ${name} are trusted`,
    },
    takeTrust: {
      title: `Stop trusting the imports of ${name}?`,
      text: `Files from ${who} are treated like those of any other seller.`,
      confirm: 'Stop trusting',
      done: `Imports of ${name} are treated like any other seller’s`,
    },
    giveCertification: {
      title: `Let ${name} list air bags?`,
      text: `Do so only if you have seen the certification of ${who}.`,
      confirm: 'Certify',
      done: `${name} can list air bags`,
    },
    takeCertification: {
      title: `Stop ${name} from listing air bags?`,
      text: `New air bags from ${who} are refused. What is live stays live.`,
      confirm: 'Stop air bags',
      done: `${name} can no longer list air bags`,
    },
    startReview: {
      title: `Review the imports of ${name}?`,
      text: `Files from ${who} wait for an administrator before they go live. What is live stays live.`,
      confirm: 'Review imports',
      done: `Imports of ${name} wait for a review`,
    },
    stopReview: {
      title: `Stop reviewing the imports of ${name}?`,
      text: `Files from ${who} go live automatically again.`,
      confirm: 'Stop reviewing',
      done: `Imports of ${name} go live automatically`,
    },
  } satisfies Record<string, Question>
}

type Selling = Pick<Person, 'activeListings' | 'sellsAlone'>

const listingsInWords = (listings: number): string =>
  listings === 1 ? 'the active listing' : `the ${listings.toLocaleString('en-US')} active listings`

function takenDown({ activeListings, sellsAlone }: Selling): string {
  if (activeListings === 0) return 'There are no active listings.'
  const listings = listingsInWords(activeListings)
  if (sellsAlone) return `Buyers no longer see ${listings}.`
  return `Others at the yard can still sign in, so ${listings} ${activeListings === 1 ? 'stays' : 'stay'} for sale.`
}

function backUp({ activeListings, sellsAlone }: Selling): string {
  if (!sellsAlone) return ''
  if (activeListings === 0) return ' There are no active listings.'
  const listings = listingsInWords(activeListings)
  return ` ${listings.replace('the', 'The')} ${activeListings === 1 ? 'is' : 'are'} for sale again.`
}
