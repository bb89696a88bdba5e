import type { Insertable } from 'kysely'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { MemberNotification } from '#api/platform/db/rows.ts'
import type { MailKind } from '#api/platform/mail/mail-kinds.ts'
import { notificationOf } from '#api/platform/mail/send-mail.ts'
import type { Services } from '#api/platform/services.ts'
import { kycLink, messagesLink, orderLink, ordersLink } from '#api/platform/site-links.ts'
import { shownReference } from '#api/platform/text/order-reference.ts'
import { pathToConversation } from '#api/people/conversations/path-to-conversation.ts'
import type { SampleWorld } from './world.ts'

/** Older notifications have been read. */
const unreadFor = 3 * DAY

type Row = Insertable<MemberNotification>
type Told = {
  at: number
  memberId: string
  kind: MailKind
  link?: string
  reference?: string
  opens?: string
}

/** What members were told with each email, and what the sample member whose sign-in details are printed was told. */
export async function insertSampleNotifications(
  db: Tx,
  services: Pick<Services, 'config'>,
  world: SampleWorld,
  sampleMemberId: string,
): Promise<void> {
  const { now } = world
  const told = [
    ...(await toldByEmail(db, services, world)),
    ...(await toldOfAnswers(db, services)),
    { at: now - 20 * DAY, memberId: sampleMemberId, kind: 'password-changed' as const },
    { at: now - 12 * DAY, memberId: sampleMemberId, kind: 'phrase-set' as const },
    { at: now - 2 * DAY, memberId: sampleMemberId, kind: 'new-sign-in' as const },
  ]
  const rows = told.filter(({ at }) => at < now).flatMap((each) => rowOf(now, each))
  await db.insertInto('member_notification').values(rows).execute()
}

function rowOf(now: number, { at, memberId, kind, link, reference, opens }: Told): Row[] {
  const reader = { id: memberId, email: '', language: 'en' as const, ...(opens && { opens }) }
  const notification = notificationOf(reader, kind, {
    ...(link && { link }),
    ...(reference && { reference }),
  })
  if (!notification) return []
  const { area, path, reference: named } = notification
  const isUnread = at > now - unreadFor
  return [
    {
      member_id: memberId,
      kind,
      area,
      path,
      reference: named,
      created_at: new Date(at),
      seen_at: isUnread ? null : new Date(Math.min(now, at + 3 * HOUR + 7 * MINUTE)),
    },
  ]
}

async function toldByEmail(
  db: Tx,
  { config }: Pick<Services, 'config'>,
  { mails }: SampleWorld,
): Promise<Told[]> {
  const orders = await db.selectFrom('token_order').select(['id', 'reference']).execute()
  const references = new Map(orders.map(({ id, reference }) => [id, shownReference(reference)]))
  return mails.map(({ at, to, kind, orderId }) => {
    const told = { at, memberId: to.id, kind }
    if (orderId === undefined)
      return { ...told, link: kind === 'kyc-approved' ? ordersLink(config) : kycLink(config) }
    return { ...told, link: orderLink(config, orderId), reference: references.get(orderId)! }
  })
}

/** Members who were answered in a conversation. */
async function toldOfAnswers(db: Tx, { config }: Pick<Services, 'config'>): Promise<Told[]> {
  const rows = await db
    .selectFrom('conversation')
    .innerJoin('conversation_message', 'conversation_message.conversation_id', 'conversation.id')
    .select(['member_id', 'about', 'order_id', 'application_id', 'at'])
    .where('author', '=', 'staff')
    .where('member_id', 'is not', null)
    .execute()
  return rows.map((row) => ({
    at: row.at.getTime(),
    memberId: row.member_id!,
    kind: 'message-received',
    link: messagesLink(config),
    opens: pathToConversation(row),
  }))
}
