import { type YearSpan, yearSpanText } from '#contract/year-span.ts'
import {
  confidenceOf,
  known,
  LEAST_CONFIDENCE,
  matchOf,
  type NameVerdict,
  unsure,
  wasBuiltIn,
} from './name-verdict.ts'
import type { TaxonomyMatchers } from './taxonomy-matchers.ts'

/** What manufacturer and model of a row mean. The model is undefined where that cannot be asked yet, or nothing stands there. */
export type VehicleVerdict = {
  readonly manufacturer: NameVerdict | undefined
  readonly model: NameVerdict | undefined
}

// "Camry" alone is a Toyota, but an "M" or a "90" could be anybody's.
const LEAST_LETTERS_OF_A_MODEL = 5

/** Reads both columns together: either may hold what belongs into the other. Without the year, which `inYear` looks at. */
export function matchVehicle(matchers: TaxonomyMatchers, manu: string, model: string): VehicleVerdict {
  const manufacturer = manu === '' ? undefined : matchers.manufacturers.match(manu)
  if (manufacturer?.kind === 'known') {
    return { manufacturer, model: model === '' ? undefined : matchers.models.match(manufacturer.id, model) }
  }
  if (manufacturer?.kind === 'new') {
    const asNew: VehicleVerdict = {
      manufacturer,
      model: model === '' ? undefined : { kind: 'new', name: model },
    }
    return withModelBeside(matchers, manu, model) ?? asNew
  }
  const found =
    oneOfSeveral(matchers, manufacturer, model) ??
    withModelBeside(matchers, manu, model) ??
    (manufacturer === undefined || manufacturer.candidates.length === 0
      ? fromModel(matchers, model)
      : undefined)
  return found ?? { manufacturer, model: undefined }
}

/** "Merc" with a Grand Marquis is a Mercury, with a C300 a Mercedes. */
function oneOfSeveral(
  { models }: TaxonomyMatchers,
  manufacturer: (NameVerdict & { kind: 'unsure' }) | undefined,
  model: string,
): VehicleVerdict | undefined {
  if (!manufacturer || model === '') return undefined
  const fitting = manufacturer.candidates
    .map((make) => ({ make, model: models.match(make.id, model) }))
    .filter((pair) => isCertain(pair.model))
  const [only, ...others] = fitting
  return only && others.length === 0
    ? { manufacturer: known(only.make, 'within'), model: only.model }
    : undefined
}

/** "Mini Cooper" or "Dodge Ram" in the column of manufacturers. */
function withModelBeside(
  { models }: TaxonomyMatchers,
  manu: string,
  model: string,
): VehicleVerdict | undefined {
  const split = models.splitMake(manu)
  if (!split) return undefined
  const together = [`${split.rest} ${model}`.trim(), ...(model === '' ? [] : [model]), split.rest]
  const readings = together.map((text) => models.match(split.make.id, text))
  const found = readings.find(isCertain)
  return found && { manufacturer: known(split.make, 'within'), model: found }
}

/** A manufacturer that nobody named, known by the model. */
function fromModel({ models }: TaxonomyMatchers, model: string): VehicleVerdict | undefined {
  const split = models.splitMake(model)
  const found = split && models.match(split.make.id, split.rest)
  if (split && isCertain(found)) return { manufacturer: known(split.make, 'within'), model: found }
  const [only, ...others] =
    model.replaceAll(/[^a-z]/gi, '').length < LEAST_LETTERS_OF_A_MODEL ? [] : models.makersOf(model)
  return only && others.length === 0
    ? { manufacturer: known(only, 'within'), model: models.match(only.id, model) }
    : undefined
}

/** A model of the catalogue, or what several of them share. */
function isCertain(verdict: NameVerdict | undefined): verdict is NameVerdict {
  if (verdict?.kind === 'known') return verdict.confidence >= LEAST_CONFIDENCE
  return verdict?.kind === 'new' && verdict.family !== undefined
}

/** A mistyped name of a model that was not built in any of these years is no match by itself. */
export function inYear(model: NameVerdict, span: YearSpan | undefined): NameVerdict {
  const match = matchOf(model)
  if (match?.how !== 'similar' || wasBuiltIn(match.years, span)) return model
  const candidates =
    model.kind === 'known' ? [{ id: model.id, name: model.name, confidence: confidenceOf('similar', 4) }] : []
  const years = span ? yearSpanText(span) : ''
  return unsure(`${model.kind === 'unsure' ? '' : model.name} was not built in ${years}.`, candidates)
}
