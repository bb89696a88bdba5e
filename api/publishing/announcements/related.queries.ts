import { sql } from 'kysely'
import type { Language } from '#contract/platform/languages.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { CardColumns } from '../pictures/card-picture.ts'
import { titleWordsOf } from './title-words.ts'

const relatedMax = 3
/** Number of newest posts that are compared. */
const candidatesMax = 200
/** A shared category counts as much as this many shared words. */
const categoryWeight = 2

type Post = { id: string; title: string; category: string; language: Language }
type Related = CardColumns & Post & { posted_at: Date; reading_minutes: number }

/**
 * Returns up to three other published posts in the language of this one: those that share most with its category and
 * title, with the newest first among equals. Compares only the titles of the newest posts, which the news indexes find.
 */
export async function listRelated(db: Tx, { id, title, category, language }: Post): Promise<Related[]> {
  const newest = sql`select id, title, category, posted_at from announcement
    where state = 'published' and language = ${language}`
  const end = sql`order by posted_at desc, id desc limit ${candidatesMax}`
  const { rows } = await sql<Related>`
    with candidate as ((${newest} and category = ${category} ${end}) union (${newest} ${end})),
    chosen as (
      select id, posted_at, (category = ${category})::int * ${categoryWeight}::int + (
        select count(*) from unnest(${titleWordsOf(title)}::text[]) word where position(word in lower(title)) > 0
      ) as score
      from candidate where id <> ${id} order by score desc, posted_at desc, id desc limit ${relatedMax})
    select a.id, a.slug, a.title, a.category, a.language, a.posted_at, a.reading_minutes, a.content,
      a.card_picture, a.card_height, a.card_alt, card.widths as card_widths
    from chosen join announcement a on a.id = chosen.id
    left join announcement_picture card on card.name = a.card_picture
    order by chosen.score desc, chosen.posted_at desc, chosen.id desc`.execute(db)
  return rows
}
