import type { PageOf } from './read-page.ts'

/** The rows of a list, asked for page by page: what is in memory at any time is one page. */
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
