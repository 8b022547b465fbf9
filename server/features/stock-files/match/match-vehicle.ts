import { type YearSpan, yearSpanText } from '#contract/listing/year-span.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import {
  confidenceOf,
  known,
  MIN_CONFIDENCE,
  matchOf,
  type NameVerdict,
  unsure,
  wasBuiltIn,
} from '#contract/trade-language/verdicts.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'

/* The make and model of a row, combined from its two columns. */

type VehicleMatchers = Pick<Vocabulary, 'makes' | 'models'>

/** The model is undefined if its cell is empty or its manufacturer is unsure. */
type VehicleVerdict = {
  readonly manufacturer: NameVerdict | undefined
  readonly model: NameVerdict | undefined
}

// "Camry" alone is a Toyota, but an "M" or a "90" could be any make's.
const MIN_MODEL_LETTERS = 5

/** Matches both columns together, since either may contain what belongs in the other. Ignores the year (see `inYear`). */
export function matchVehicle(matchers: VehicleMatchers, manu: string, model: string): VehicleVerdict {
  const { makes, models } = matchers
  const manufacturer = manu === '' ? undefined : makes.match(manu)
  if (manufacturer?.kind === 'known') {
    return { manufacturer, model: model === '' ? undefined : models.match(manufacturer.id, model) }
  }
  if (manufacturer?.kind === 'new') {
    return (
      candidateWithModel(matchers, makes.ofCode(manu), model) ??
      splitManufacturer(matchers, manu, model) ?? {
        manufacturer,
        model: model === '' ? undefined : { kind: 'new', name: model },
      }
    )
  }
  const named = [...(manufacturer?.candidates ?? []), ...makes.ofCode(manu)]
  const candidates = [...new Map(named.map((make) => [make.id, make])).values()]
  return (
    candidateWithModel(matchers, candidates, model) ??
    splitManufacturer(matchers, manu, model) ??
    (candidates.length === 0 ? manufacturerOfModel(matchers, model) : undefined) ?? {
      manufacturer,
      model: undefined,
    }
  )
}

/** "Merc" with a Grand Marquis is a Mercury, with a C300 a Mercedes. */
function candidateWithModel(
  { models }: VehicleMatchers,
  candidates: readonly { id: string; name: string }[],
  typedModel: string,
): VehicleVerdict | undefined {
  if (typedModel === '') return undefined
  const fitting = candidates
    .map((make) => ({ make, model: models.match(make.id, typedModel) }))
    .filter(({ model }) => isCertain(model))
  const [only, ...others] = fitting
  if (!only || others.length > 0) return undefined
  return { manufacturer: known(only.make, 'within'), model: only.model }
}

/** "Mini Cooper" or "Dodge Ram" in the manufacturer column. */
function splitManufacturer(
  { models }: VehicleMatchers,
  manu: string,
  model: string,
): VehicleVerdict | undefined {
  const split = models.splitMake(manu)
  if (!split) return undefined
  const texts = [`${split.rest} ${model}`.trim(), ...(model === '' ? [] : [model]), split.rest]
  const found = texts.map((text) => models.match(split.make.id, text)).find(isCertain)
  return found && { manufacturer: known(split.make, 'within'), model: found }
}

/** Without a manufacturer: from the model column, or from a model that only one manufacturer has. */
function manufacturerOfModel({ models }: VehicleMatchers, model: string): VehicleVerdict | undefined {
  const split = models.splitMake(model)
  const found = split && models.match(split.make.id, split.rest)
  if (split && isCertain(found)) return { manufacturer: known(split.make, 'within'), model: found }
  if (model.replaceAll(/[^a-z]/gi, '').length < MIN_MODEL_LETTERS) return undefined
  const [only, ...others] = models.makersOf(nameKey(model))
  if (!only || others.length > 0) return undefined
  // Not by the beginning of a name: the City may be another make's, though Chevrolet has the City Express.
  const named = models.match(only.id, model)
  return isCertain(named) ? { manufacturer: known(only, 'within'), model: named } : undefined
}

/** Whether it is a model or family of the catalog. */
function isCertain(verdict: NameVerdict | undefined): boolean {
  if (verdict?.kind === 'known') return verdict.confidence >= MIN_CONFIDENCE
  return verdict?.kind === 'new' && verdict.family !== undefined
}

/** A typo match is unsure if the model was not built in the row's years. */
export function inYear(model: NameVerdict, span: YearSpan | undefined): NameVerdict {
  const match = matchOf(model)
  if (model.kind === 'unsure' || match?.how !== 'similar' || wasBuiltIn(match.years, span)) return model
  const candidates =
    model.kind === 'known' ? [{ id: model.id, name: model.name, confidence: confidenceOf('similar', 4) }] : []
  return unsure(`${model.name} was not built in ${span ? yearSpanText(span) : ''}.`, candidates)
}
