import { readFile } from 'node:fs/promises'
import people from '#content/samples/ambassadors.json' with { type: 'json' }
import { storeSquares } from '#api/people/ambassadors/profiles/ambassador-picture.ts'
import type { Services } from '#api/platform/services.ts'

/** Width and height of the drawn portraits, in pixels. */
export const portraitSize = 512

export const fileOfPortrait = (id: string): URL =>
  new URL(`../content/samples/portraits/${id}.jpg`, import.meta.url)

/** The names of the stored pictures, by the ID of the person. */
export type SamplePortraits = ReadonlyMap<string, string>

/** Stores the drawn portraits like uploaded ones. Runs before the transaction, to keep it short. */
export async function storeSamplePortraits(
  services: Pick<Services, 'db' | 'files'>,
): Promise<SamplePortraits> {
  const store = async ({ id }: { id: string }): Promise<[string, string]> => {
    const bytes = await readFile(fileOfPortrait(id))
    return [id, await storeSquares(services, { bytes, width: portraitSize, height: portraitSize })]
  }
  return new Map(await Promise.all(people.map(store)))
}
