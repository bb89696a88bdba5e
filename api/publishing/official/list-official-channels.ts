import ownBrand from '#content/brand.json' with { type: 'json' }
import type { Brand } from '#contract/publishing/content.ts'
import type { officialBrandParts } from '#contract/publishing/official.ts'
import { getApp } from '../../people/apps/app.queries.ts'
import { officialOfApp } from '../../people/apps/official-of-app.ts'
import { presentApp } from '../../people/apps/save-app.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { listPayMethods } from '../../money/sale/sale.queries.ts'
import type { SiteContent } from '../../platform/site-content/site-content.ts'
import { indexChannels, type Known, type Ours } from './classify/official-channel.ts'
import { listActive } from './known-entry.queries.ts'

type ChannelSources = {
  content: SiteContent
  config: Pick<Config, 'publicUrl' | 'mailFrom' | 'appId'>
}

/**
 * Lists all channels that currently belong to the project, from content, settings, sale, and console. More specific
 * ones come first.
 */
export async function listOfficialChannels(db: Tx, { content, config }: ChannelSources): Promise<Ours[]> {
  // Uses only the parts whose publication requires the right to change this list.
  const brand: Pick<Brand, (typeof officialBrandParts)[number]> = content.brand()
  const { origin } = config.publicUrl
  const ofApp = officialOfApp(presentApp(await getApp(db, config.appId)))
  const found: Ours[] = []
  const add = (entry: Ours) => entry.value !== '' && found.push(entry)
  const link = (role: Ours['role'], name: string, value = '') => add({ kind: 'link', role, name, value })

  for (const { file, title } of content.documents()) link('document', title, `${origin}/assets/pdfs/${file}`)
  for (const entry of ofApp.filter(({ kind }) => kind === 'link')) add(entry)
  for (const [name, value] of Object.entries(brand.social)) link('social', name, value)
  const { wallet, ...links } = brand.links
  for (const [name, value] of Object.entries(wallet)) link('wallet', name, value)
  for (const [name, value] of Object.entries(links)) link('link', name, value)

  add({ kind: 'email', role: 'contact', name: '', value: brand.email })
  for (const entry of ofApp.filter(({ kind }) => kind === 'email')) add(entry)
  add({ kind: 'email', role: 'sender', name: '', value: addressIn(config.mailFrom) })
  add({ kind: 'phone', role: 'phone', name: '', value: brand.phone ?? '' })
  for (const method of await listPayMethods(db))
    add({
      kind: 'coin',
      role: 'receiving',
      name: method.code,
      value: method.receiving_address,
      chain: method.chain,
    })
  for (const { kind, value, note } of await listActive(db, 'official'))
    add({ kind, role: 'added', name: note, value })
  add({ kind: 'domain', role: 'site', name: '', value: origin })
  return once(found)
}

/** Extracts the address from `MAIL_FROM`, which may have the format `Name <address>`. */
const addressIn = (mailFrom: string): string => (/<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom).trim()

/** Removes repeated values, keeping the first. */
const once = (entries: readonly Ours[]): Ours[] =>
  [
    ...new Map(
      entries.toReversed().map((entry) => [`${entry.kind} ${entry.value.toLowerCase()}`, entry] as const),
    ).values(),
  ].toReversed()

/** Returns everything to compare a pasted text with. `more` adds channels as if they were official. */
export const readKnown = async (db: Tx, needs: ChannelSources, more: readonly Ours[] = []): Promise<Known> =>
  indexChannels([...(await listOfficialChannels(db, needs)), ...more], {
    name: ownBrand.name,
    ticker: ownBrand.ticker,
  })
