import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { MemberSubject } from '#contract/people/conversations.ts'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { Conversation } from '#api/platform/db/rows.ts'
import { settleFiles } from '#api/platform/pending-files/pending-file.queries.ts'
import type { Services } from '#api/platform/services.ts'
import { newDataKey, storeSealed } from '#api/people/kyc/encrypted-documents.ts'
import { readSampleDocument } from './kyc-documents.ts'
import type { OperatorName, SampleWorld } from './world.ts'

export type SampleAttachment = { id: string; sealedDataKey: Buffer; fileKey: string; bytes: number }

/** Encrypts and stores a drawn document like a real attachment. Runs before the transaction, to keep it short. */
export async function storeSampleAttachment(
  services: Pick<Services, 'db' | 'files' | 'keys'>,
): Promise<SampleAttachment> {
  const id = randomUUID()
  const { dataKey, sealedDataKey } = newDataKey(services.keys, id)
  const bytes = readSampleDocument('letter', 1)
  const stored = await storeSealed(services, dataKey, id, { folder: 'messages', bytes })
  return { id, sealedDataKey, fileKey: stored.fileKey, bytes: stored.bytes }
}

type SampleMessage = {
  ago: number
  text: string
  /** The staff member who wrote it; if it is missing, the member or visitor did. */
  by?: OperatorName
  isNote?: true
  hasAttachment?: true
}

type SampleConversation = {
  /** A visitor, the sample member whose sign-in details are printed, or someone of the demo data. */
  from: { visitor: string } | 'sample member' | { language: 'en' | 'cn' }
  about: MemberSubject | 'visitor'
  status: 'open' | 'waiting' | 'closed'
  assignee?: OperatorName
  messages: readonly SampleMessage[]
}

const sampleConversations: readonly SampleConversation[] = [
  {
    from: { language: 'en' },
    about: 'order',
    status: 'open',
    messages: [
      {
        ago: 5 * HOUR,
        text: 'Sample: I paid this morning. Here is the confirmation from my bank. Did you get the payment?',
        hasAttachment: true,
      },
    ],
  },
  {
    from: { language: 'cn' },
    about: 'order',
    status: 'waiting',
    assignee: 'finance2',
    messages: [
      { ago: 3 * DAY, text: '示例：我填错了收币地址，还能修改吗？' },
      { ago: 3 * DAY - 4 * HOUR, text: '示例：订单完成前可以修改。请回复新的地址。', by: 'finance2' },
    ],
  },
  {
    from: { language: 'en' },
    about: 'identity',
    status: 'open',
    assignee: 'finance2',
    messages: [
      { ago: 2 * DAY, text: 'Sample: My passport expires next month. Can I still use it?' },
      { ago: DAY, text: 'Sample: asked the screening service.', by: 'finance2', isNote: true },
    ],
  },
  {
    from: { language: 'cn' },
    about: 'account',
    status: 'open',
    messages: [{ ago: 26 * HOUR, text: '示例：我换了手机，怎样重新设置双重验证？' }],
  },
  {
    from: { language: 'en' },
    about: 'account',
    status: 'closed',
    assignee: 'employee2',
    messages: [
      { ago: 9 * DAY, text: 'Sample: How do I change my email address?' },
      {
        ago: 9 * DAY - 2 * HOUR,
        text: 'Sample: Open your profile, select Edit, and enter the new address.',
        by: 'employee2',
      },
    ],
  },
  {
    from: 'sample member',
    about: 'account',
    status: 'waiting',
    assignee: 'employee2',
    messages: [
      { ago: 2 * DAY, text: 'Sample: Where can I see what you store about me?' },
      {
        ago: 30 * HOUR,
        text: 'Sample: You can download all your data at any time on the profile page.',
        by: 'employee2',
      },
    ],
  },
  {
    from: { visitor: 'Sample Visitor' },
    about: 'visitor',
    status: 'open',
    messages: [
      { ago: 8 * HOUR, text: 'Sample: Someone called me and said they were from you. Was that you?' },
    ],
  },
  {
    from: { visitor: 'Sample Journalist' },
    about: 'visitor',
    status: 'waiting',
    assignee: 'admin',
    messages: [
      { ago: 4 * DAY, text: 'Sample: May we use the pictures of your white paper in an article?' },
      { ago: 4 * DAY - 3 * HOUR, text: 'Sample: Yes, if you name the source.', by: 'admin' },
    ],
  },
]

const sampleReplies = [
  {
    title: 'Payment is being checked',
    en: 'Thank you. We’re checking the payment and will complete the order as soon as we’ve received it.',
    cn: '谢谢。我们正在核对付款，到账后会尽快完成订单。',
  },
  {
    title: 'Documents: what we accept',
    en: 'You can use a passport, an identity card, or a driver’s license that is still valid. All four corners must be visible.',
    cn: '你可以使用有效期内的护照、身份证或驾驶证，照片须露出证件四角。',
  },
  {
    title: 'We never call',
    en: 'We never call to ask for a code or a payment. Please end the call and don’t send anything.',
    cn: '我们绝不会打电话索要验证码或要求付款。请挂断电话，不要转账或提供任何信息。',
  },
] as const

type Needs = { domain: string; sampleMemberId: string; attachment: SampleAttachment }

/** Open, answered, and closed conversations, and the replies that staff saved. */
export async function insertSampleConversations(db: Tx, world: SampleWorld, needs: Needs): Promise<void> {
  await settleFiles(db, [needs.attachment.fileKey])
  const taken = new Set<string>()
  for (const [n, sample] of sampleConversations.entries()) {
    const id = randomUUID()
    const { messages, status, assignee } = sample
    const told = messages.filter(({ isNote }) => !isNote)
    const at = (ago: number) => new Date(world.now - ago)
    const changedAt = at(messages.at(-1)!.ago)
    await db
      .insertInto('conversation')
      .values({
        id,
        about: sample.about,
        ...(await subjectOf(db, world, sample, { ...needs, n, taken })),
        status,
        status_at: status === 'open' ? at(told.at(-1)!.ago) : changedAt,
        created_at: at(messages[0]!.ago),
        message_at: at(told.at(-1)!.ago),
        updated_at: changedAt,
        assignee_id: assignee ? world.operators[assignee] : null,
      })
      .execute()
    for (const message of messages)
      await insertSampleMessage(db, world, { id, message, attachment: needs.attachment })
    if (assignee)
      world.audit.push({
        at: changedAt.getTime() + MINUTE,
        actorId: world.operators[assignee],
        action: status === 'closed' ? 'conversation-closed' : 'conversation-answered',
        subjectKind: 'conversation',
        subjectId: id,
      })
  }
  await db
    .insertInto('saved_reply')
    .values(
      sampleReplies.map(({ title, en, cn }) => ({
        title,
        text_en: en,
        text_cn: cn,
        updated_at: new Date(world.now - 20 * DAY),
        updated_by: world.operators.employee2,
      })),
    )
    .execute()
}

type Placing = Needs & { n: number; taken: Set<string> }
type SubjectColumns = Pick<
  Insertable<Conversation>,
  'member_id' | 'order_id' | 'application_id' | 'email' | 'name' | 'language' | 'proved_at'
>

/** The columns of what a conversation is about. Nobody in the demo data has two. */
async function subjectOf(
  db: Tx,
  world: SampleWorld,
  { from, about }: SampleConversation,
  { domain, sampleMemberId, n, taken }: Placing,
): Promise<SubjectColumns> {
  if (from === 'sample member') return { member_id: sampleMemberId }
  if ('visitor' in from)
    return {
      email: `visitor${n}@${domain}`,
      name: from.visitor,
      language: 'en',
      proved_at: new Date(world.now - 30 * DAY),
    }
  const table = about === 'order' ? 'token_order' : about === 'identity' ? 'kyc_application' : null
  const people = world.people.filter(
    ({ id, language, activatedAt, closedAt }) =>
      language === from.language && activatedAt !== null && closedAt === null && !taken.has(id),
  )
  if (table === null) {
    const { id } = people.findLast(({ part }) => part === 'none')!
    taken.add(id)
    return { member_id: id }
  }
  const { id, member_id } = await db
    .selectFrom(table)
    .select(['id', 'member_id'])
    .where(
      'member_id',
      'in',
      people.map((person) => person.id),
    )
    .where('status', '=', about === 'order' ? 'pending' : 'in_review')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  taken.add(member_id)
  return { member_id, ...(about === 'order' ? { order_id: id } : { application_id: id }) }
}

async function insertSampleMessage(
  db: Tx,
  { now, operators }: SampleWorld,
  {
    id: conversationId,
    message,
    attachment,
  }: { id: string; message: SampleMessage; attachment: SampleAttachment },
): Promise<void> {
  const { ago, text, by, isNote, hasAttachment } = message
  const { id: messageId } = await db
    .insertInto('conversation_message')
    .values({
      conversation_id: conversationId,
      author: isNote ? 'note' : by ? 'staff' : 'member',
      author_id: by ? operators[by] : null,
      text,
      at: new Date(now - ago),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!hasAttachment) return
  const { id, sealedDataKey, fileKey, bytes } = attachment
  await db
    .insertInto('conversation_attachment')
    .values({
      id,
      message_id: messageId,
      n: 0,
      file_key: fileKey,
      sealed_data_key: sealedDataKey,
      is_pdf: false,
      bytes,
      created_at: new Date(now - ago),
    })
    .execute()
}
