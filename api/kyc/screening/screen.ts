import type { Config } from '../../config.ts'
import { openListFile } from './list-file.ts'

export type Person = { name: string; born?: string }
export type Match = { provider: string; list: string; name: string; born: string; score: number }

/** A provider of screening lists: here a file, elsewhere a service. */
export type ScreeningProvider = { search(person: Person): Promise<Match[]> }

const matchesMax = 20

/** The matches of every configured provider, the likeliest first. They decide nothing: an officer reviews them. */
export async function screen(config: Pick<Config, 'screeningList'>, person: Person): Promise<Match[]> {
  const providers: ScreeningProvider[] = config.screeningList ? [openListFile(config.screeningList)] : []
  const found = await Promise.all(providers.map((provider) => provider.search(person)))
  return found
    .flat()
    .toSorted((a, b) => b.score - a.score)
    .slice(0, matchesMax)
}
