/** The zone set on the reader's device. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Zones of most readers of the two languages, offered in addition to the reader's own and UTC. */
const near = ['Asia/Shanghai', 'Europe/London', 'America/New_York']

let all: readonly string[] | undefined

/** The reader's zone and other frequent ones, followed by all zones that the browser knows. */
export function zonesToChoose(chosen: string): { first: string[]; rest: readonly string[] } {
  all ??= Intl.supportedValuesOf('timeZone')
  return { first: [...new Set([ownZone(), 'UTC', chosen, ...near])], rest: all }
}

export const zoneName = (zone: string): string => zone.replaceAll('_', ' ')
