import { randomUUID } from 'node:crypto'
import type { MailFailureReason } from '#contract/platform/console-mails.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { SampleWorld } from './world.ts'
import type { Services } from '#api/platform/services.ts'
import { kycLink, ordersLink, resetRequestLink, signInLink } from '#api/platform/site-links.ts'
import type { MailFailure } from '#api/platform/mail/mail-failure.ts'
import { writeMail } from '#api/platform/mail/send-mail.ts'
import type { Insertable } from 'kysely'
import type { DB } from '#api/platform/db/rows.ts'

/** Older emails are deleted. */
const keptDays = 29

type Undelivered = {
  state: 'waiting' | 'failed' | 'stopped'
  kind: 'kyc-submitted' | 'kyc-approved' | 'password-changed' | 'second-factor-added' | 'account-reopened'
  ago: number
  /** The failure of every attempt. */
  failure?: MailFailure & { means: MailFailureReason }
  attempts?: number
}

const unknown = { error: '550', enhanced: '5.1.1', step: 'RCPT TO', means: 'mailbox_unknown' } as const
const full = { error: '452', enhanced: '4.2.2', step: 'RCPT TO', means: 'mailbox_full' } as const
const refused = { error: 'ECONNREFUSED', step: 'CONN', means: 'connection_refused' } as const
const policy = { error: '554', enhanced: '5.7.1', step: 'DATA', means: 'policy' } as const
const slow = { error: 'ETIMEDOUT', step: 'CONN', means: 'timed_out' } as const

const undelivered: readonly Undelivered[] = [
  { state: 'waiting', kind: 'kyc-submitted', ago: 2 * MINUTE },
  { state: 'waiting', kind: 'password-changed', ago: 4 * MINUTE },
  { state: 'waiting', kind: 'second-factor-added', ago: 9 * MINUTE },
  { state: 'waiting', kind: 'kyc-approved', ago: 3 * HOUR, failure: full, attempts: 6 },
  { state: 'waiting', kind: 'password-changed', ago: 40 * MINUTE, failure: refused, attempts: 4 },
  { state: 'waiting', kind: 'account-reopened', ago: 50 * MINUTE, failure: slow, attempts: 4 },
  { state: 'failed', kind: 'kyc-submitted', ago: 3 * DAY, failure: unknown, attempts: 12 },
  { state: 'failed', kind: 'password-changed', ago: 5 * DAY, failure: unknown, attempts: 12 },
  { state: 'failed', kind: 'kyc-approved', ago: 8 * DAY, failure: policy, attempts: 12 },
  { state: 'failed', kind: 'second-factor-added', ago: 12 * DAY, failure: slow, attempts: 12 },
  { state: 'stopped', kind: 'password-changed', ago: 6 * DAY },
  { state: 'stopped', kind: 'account-reopened', ago: 10 * DAY, failure: full, attempts: 3 },
]

/** Emails of the demo data, including undelivered ones. Their addresses are never contacted (`deliver-mail.ts`). */
export async function insertSampleMails(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  world: SampleWorld,
): Promise<void> {
  const sent = world.mails.filter(({ at }) => at > world.now - keptDays * DAY && at < world.now)
  const rows = sent.map(({ at, to, kind }): SampleMailRow => {
    const sentAt = at + world.dice.between(1, 20) * SECOND
    return {
      id: randomUUID(),
      to_address: to.email,
      member_id: to.id,
      kind,
      language: to.language,
      state: 'sent',
      attempts: 1,
      created_at: new Date(at),
      changed_at: new Date(sentAt),
      sent_at: new Date(sentAt),
      next_try_at: new Date(at + MINUTE),
      tries: JSON.stringify([{ at: iso(sentAt - 700), endedAt: iso(sentAt) }]),
    }
  })
  const readers = world.people.filter(({ part, activatedAt }) => part === 'none' && activatedAt !== null)
  for (const [index, mail] of undelivered.entries())
    rows.push(
      await rowOf(db, services, { ...mail, now: world.now, reader: readers[(index * 7) % readers.length]! }),
    )
  await insertSampleMailRows(db, rows)
  for (const mail of undelivered.filter(({ state }) => state === 'stopped'))
    world.audit.push({
      at: world.now - mail.ago + 2 * HOUR,
      actorId: world.operators.employee2,
      action: 'mail-stopped',
      subjectKind: 'mail',
      subjectId: rows[sent.length + undelivered.indexOf(mail)]!.id ?? null,
      detail: { kind: mail.kind },
    })
}

async function rowOf(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  {
    state,
    kind,
    ago,
    failure,
    attempts = 0,
    now,
    reader,
  }: Undelivered & { now: number; reader: SampleWorld['people'][number] },
): Promise<SampleMailRow> {
  const at = now - ago
  const links = {
    'kyc-submitted': kycLink(config),
    'kyc-approved': ordersLink(config),
    'account-reopened': signInLink(config),
    'password-changed': '',
    'second-factor-added': '',
  }
  const values = { link: links[kind], resetLink: resetRequestLink(config) }
  const mail = await writeMail(db, keys, reader, { kind, values })
  const tries = triesOf(at, attempts, failure, state === 'waiting' ? now : at + 3 * DAY)
  const last = tries.at(-1)
  return {
    id: mail.id,
    to_address: reader.email,
    member_id: reader.id,
    kind,
    language: reader.language,
    sealed_message: mail.sealedMessage,
    state,
    attempts,
    created_at: new Date(at),
    changed_at: last ? new Date(last.endedAt) : new Date(state === 'stopped' ? at + 2 * HOUR : at),
    next_try_at: new Date(state === 'waiting' && last ? now + 25 * MINUTE : at),
    last_error: failure?.error ?? null,
    tries: JSON.stringify(tries),
  }
}

/** Returns consecutive attempts with increasing pauses, like those of the worker. */
function triesOf(at: number, attempts: number, failure: Undelivered['failure'], until: number) {
  if (!failure) return []
  const { means: _, ...codes } = failure
  const span = Math.min(2 * DAY, until - at - MINUTE)
  return Array.from({ length: attempts }, (_, index) => {
    const begun = at + SECOND + span * (index / attempts) ** 3
    return { at: iso(begun), endedAt: iso(begun + 1200), ...codes }
  })
}

const iso = (at: number): string => new Date(Math.round(at)).toISOString()

type SampleMailRow = Insertable<DB['mail']>

async function insertSampleMailRows(db: Tx, rows: readonly SampleMailRow[]): Promise<void> {
  await db
    .insertInto('mail')
    .values([...rows])
    .execute()
}
