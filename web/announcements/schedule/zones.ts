/** The zone of the reader's own clock. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Zones where the two languages are mostly read, besides the reader's own and UTC. */
const near = ['Asia/Shanghai', 'Europe/London', 'America/New_York']

let all: readonly string[] | undefined

/** The reader's zone and others that are often meant, then every one that the browser knows. */
export function zonesToChoose(chosen: string): { first: string[]; rest: readonly string[] } {
  all ??= Intl.supportedValuesOf('timeZone')
  return { first: [...new Set([ownZone(), 'UTC', chosen, ...near])], rest: all }
}

export const zoneName = (zone: string): string => zone.replaceAll('_', ' ')
