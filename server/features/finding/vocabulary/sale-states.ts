import { openSaleStates } from '#contract/column-questions/sale-states.ts'
import { language } from './built-in.ts'

/** What cells of a yard's file say of sales. */
export const saleStates = openSaleStates(language.roles)
