import type { PartFit } from '#contract/pages/part-page.ts'
import { fitYears } from '#web/site/card/listing-words.ts'
import classes from './part.module.css'

/** Rows shown before “Show more”. */
const SHOWN = 8

type FitsProps = { fits: readonly PartFit[]; evidence: readonly string[] }

/** The vehicles that a part fits, as its seller lists them, its own car first; and what buyers' cars say of its number. */
export function Fits({ fits, evidence }: FitsProps) {
  return (
    <>
      <FitTable fits={fits.slice(0, SHOWN)} />
      {fits.length > SHOWN && (
        <details>
          <summary>Show {fits.length - SHOWN} more vehicles</summary>
          <FitTable fits={fits.slice(SHOWN)} />
        </details>
      )}
      {evidence.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  )
}

function FitTable({ fits }: { fits: readonly PartFit[] }) {
  return (
    <table className={classes.facts}>
      {/* Without this, the hidden head makes both columns equally wide. */}
      <colgroup>
        <col className={classes.years} />
        <col />
      </colgroup>
      <thead className="unseen">
        <tr>
          <th scope="col">Years</th>
          <th scope="col">Vehicle</th>
        </tr>
      </thead>
      <tbody>
        {fits.map((fit) => (
          <tr key={`${fit.from} ${fit.to} ${fit.vehicle} ${fit.details}`}>
            <th scope="row">{fitYears(fit)}</th>
            <td>
              {fit.vehicle}
              {fit.details !== '' && ` (${fit.details})`}
              {fit.source === 'donor' && <span className={classes.quiet}> · the car it came from</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
