import { IconClock, IconMapPin, IconPhone } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { PublicYard } from '#contract/pages/sellers.ts'
import {
  nameOfDay,
  type OpeningHours,
  timesInWords,
  timeZones,
  weekdays,
} from '#contract/pages/yard-words.ts'
import { phoneLink } from '#contract/text/phone-parts.ts'
import { HowFar } from '#web/site/seller/how-far.tsx'
import { PolicyTexts } from '#web/site/seller/seller-facts.tsx'
import { openInWords } from './open-now.ts'
import classes from './seller.module.css'
import { YardMap } from './yard-map.tsx'

/** What the yard says about itself: where it is, when it is open, and its terms. Leaves out what is missing. */
export function YardCards({ yard }: { yard: PublicYard }) {
  const { street, zip, phone, hours, map, policy } = yard
  const hasVisit = Boolean(street || zip || phone || hours)
  const hasTerms = Object.keys(policy).length > 0
  if (!hasVisit && !map && !hasTerms) return null
  return (
    <div className={classes.yard}>
      {hasVisit && (
        <section aria-labelledby="visit" className={classes.card}>
          <h2 id="visit">Hours and contact</h2>
          {hours && <Hours hours={hours} timeZone={yard.timeZone} />}
          <ul className={classes.lines}>
            {(street || zip) && (
              <Line icon={<IconMapPin size={20} aria-hidden />}>
                <address className={classes.address}>{addressOf(yard)}</address>
                <HowFar of={`/sellers/${encodeURIComponent(yard.slug)}`} />
              </Line>
            )}
            {phone && (
              <Line icon={<IconPhone size={20} aria-hidden />}>
                <a href={phoneLink(phone)}>{phone}</a>
              </Line>
            )}
          </ul>
        </section>
      )}
      {map && (
        <section aria-label="Where the yard is" className={classes.map}>
          <YardMap yard={yard} map={map} />
        </section>
      )}
      {hasTerms && (
        <section aria-labelledby="terms" className={classes.card}>
          <h2 id="terms">Shipping, returns and warranty</h2>
          <PolicyTexts policy={policy} className={classes.terms} />
        </section>
      )}
    </div>
  )
}

/** "4100 Flywheel Dr, Joplin, MO 64801" */
const addressOf = ({ street, city, state, zip }: PublicYard): string =>
  [street, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')

const Line = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <li>
    {icon}
    <span>{children}</span>
  </li>
)

type HoursProps = { hours: OpeningHours; timeZone: PublicYard['timeZone'] }

function Hours({ hours, timeZone }: HoursProps) {
  const open = useOpenNow(hours, timeZone)
  return (
    <>
      <p className={classes.open} data-open={open?.startsWith('Open') || undefined}>
        <IconClock size={20} aria-hidden />
        {/* Reserves the line: whether the yard is open is only known in the visitor's browser. */}
        <strong>{open ?? 'Opening hours'}</strong>
      </p>
      <dl className={classes.hours}>
        {daysTogether(hours).map(({ from, to }) => (
          <div key={from}>
            <dt>{from === to ? nameOfDay(from) : `${nameOfDay(from)} to ${nameOfDay(to)}`}</dt>
            <dd>{timesInWords(hours[from])}</dd>
          </div>
        ))}
      </dl>
      <p className="second">{timeZones[timeZone]}. Call ahead on holidays.</p>
    </>
  )
}

const TICK_MS = 30_000

/** By the visitor's clock, in the yard's time zone; undefined on the server, whose pages are cached. */
function useOpenNow(hours: OpeningHours, timeZone: string): string | undefined {
  const [now, setNow] = useState<Date>()
  useEffect(() => {
    const look = () => setNow(new Date())
    look()
    const timer = setInterval(look, TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now && openInWords(hours, timeZone, now)
}

type Days = { from: (typeof weekdays)[number]; to: (typeof weekdays)[number] }

/** Days in a row with the same hours. */
export function daysTogether(hours: OpeningHours): Days[] {
  const groups: Days[] = []
  for (const day of weekdays) {
    const last = groups.at(-1)
    if (last && timesInWords(hours[last.to]) === timesInWords(hours[day])) last.to = day
    else groups.push({ from: day, to: day })
  }
  return groups
}
