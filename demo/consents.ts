import type { Tx } from '#api/platform/db/database.ts'
import type { SamplePerson } from './world.ts'
import type { SiteContent } from '#api/platform/site-content/site-content.ts'
import { currentVersions } from '#api/people/consents/consent.rules.ts'

/** Members who verified their address had accepted the documents when they signed up. */
export async function insertSampleConsents(
  db: Tx,
  content: SiteContent,
  people: readonly SamplePerson[],
): Promise<void> {
  await db
    .insertInto('consent')
    .values(
      people
        .filter(({ activatedAt }) => activatedAt !== null)
        .flatMap((person) =>
          currentVersions(content).map(({ document, version }) => ({
            member_id: person.id,
            document,
            version,
            place: 'sign-up',
            client: '192.0.2.1',
            at: new Date(person.joinedAt),
          })),
        ),
    )
    .execute()
}
