import brand from '#content/brand.json' with { type: 'json' }
import { saveAppProfile } from './people/apps/app.queries.ts'
import { transaction } from './platform/db/database.ts'
import { lockSeed } from './seed.queries.ts'
import type { Services } from './platform/services.ts'

/** Stores the installation's own app profile, from its brand and settings. */
export async function seedAppRecord({ db, config, content }: Services): Promise<void> {
  const { documents, email } = content.brand()
  await transaction(db, async (db) => {
    await lockSeed(db)
    await saveAppProfile(db, {
      _id: config.appId,
      name: brand.name,
      fullName: brand.name,
      coins: [{ symbol: brand.ticker }],
      docs: Object.values(documents)
        .flat()
        .filter((name) => name !== undefined)
        .map((name) => ({
          name,
          type: 'pdf',
          url: new URL(`/assets/pdfs/${name}-en.pdf`, config.publicUrl).href,
        })),
      contact: email,
    })
  })
}
