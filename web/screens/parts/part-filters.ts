/** The parameters of the list's address that make another page, in the order of its normalized address. */
export const partsParameters = [
  'q',
  'categoryId',
  'manuId',
  'modelId',
  'year',
  'sort',
  'page',
  'perPage',
] as const
