import type { PageOf } from './read-page.ts'

/** Lists the rows of a list page by page, so that only one page is in memory at a time. */
export async function* eachPage<Row>(
  read: (after: string | undefined) => Promise<PageOf<Row>>,
): AsyncIterable<Row> {
  let after: string | undefined
  do {
    const page = await read(after)
    yield* page.rows
    after = page.next
  } while (after !== undefined)
}
