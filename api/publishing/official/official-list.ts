import { createHash, sign } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { officialListDays, type OfficialDocument } from '#contract/publishing/official.ts'
import { getSigningKey } from '../announcements/signatures/signing-key.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import type { Services } from '../../platform/services.ts'
import { canonicalCoin } from './classify/classify-coin.ts'
import type { Ours } from './classify/official-channel.ts'
import { listOfficialChannels } from './list-official-channels.ts'

type List = OutputOf<typeof api.readOfficialList>
type Needs = Pick<Services, 'db' | 'keys' | 'config' | 'content'>

/** Reads in progress, shared by concurrent requests, because anyone may request the list at any rate. */
const reading = new WeakMap<Database, Promise<List>>()

/** Returns the official list. It is read each time, so that every instance is always up to date. */
export const readOfficialList: Handler<typeof api.readOfficialList> = (_input, services) => {
  const { db } = services
  const running = reading.get(db)
  if (running) return running
  const made = makeList(services).finally(() => reading.delete(db))
  reading.set(db, made)
  return made
}

const makeList = ({ db, keys, config, content }: Needs): Promise<List> =>
  transaction(db, async (db) => {
    const key = await getSigningKey(db, keys)
    // Rounded to the minute, so that all instances sign the same text.
    const issued = Math.floor(Date.now() / MINUTE) * MINUTE
    const entries = await listOfficialChannels(db, { config, content })
    // The order of the members is part of what is signed.
    const list: OfficialDocument = {
      list: 'official',
      site: config.publicUrl.origin,
      issuedAt: new Date(issued).toISOString(),
      expiresAt: new Date(issued + officialListDays * DAY).toISOString(),
      entries: entries.map(entryOf),
    }
    const document = JSON.stringify(list)
    const signature = sign(null, Buffer.from(document, 'utf8'), key.privateKey).toString('base64')
    return { document, signature, keyId: key.id }
  })

const entryOf = ({ kind, role, name, value }: Ours): OfficialDocument['entries'][number] =>
  role === 'receiving'
    ? { kind, role, name, value: '', sha256: sha256(canonicalCoin(value)) }
    : { kind, role, name, value }

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
