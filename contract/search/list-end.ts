/** The last page of a public list, at any page size. Nobody looks so far; programs have feeds and sitemaps. */
export const LAST_PAGE = 400
