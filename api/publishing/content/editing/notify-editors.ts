import { HOUR } from '#contract/platform/durations.ts'
import { contentItemNames } from '#contract/publishing/content-item-names.ts'
import type { Language } from '#contract/platform/languages.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { findApprover, listApprovers } from '../../../people/members/approver.queries.ts'
import { getMemberById } from '../../../people/members/member.queries.ts'
import { consume } from '../../../platform/rate-limits/rate-limit.ts'
import type { Services } from '../../../platform/services.ts'
import { contentLink } from '../../../platform/site-links.ts'
import { kindOf } from './content-item.ts'
import { canApprove } from './official-changes.ts'

type Needed = Pick<Services, 'keys' | 'config' | 'content'>
type Proposal = { proposed_by: string; pieces: unknown }

/** Limits the emails that one editor's proposals cause. "Needs attention" in the console lists all of them. */
const emailedPerHourMax = 20

/** Emails everyone who can be the second approver. */
export async function notifyApprovers(
  db: Tx,
  services: Needed,
  proposal: Proposal & { changes: unknown },
): Promise<void> {
  const { keys, config } = services
  const limit = {
    key: `tell second of content ${proposal.proposed_by}`,
    max: emailedPerHourMax,
    window: HOUR,
  }
  if ((await consume(db, keys, [limit])) !== undefined) return
  const name = await nameOf(db, proposal.proposed_by)
  for (const editor of await listApprovers(db, config, 'news'))
    if (editor.id !== proposal.proposed_by && (await canApprove(db, config, proposal, editor.id)))
      await sendMail(db, keys, editor, 'content-proposed', {
        name,
        ...valuesFor(services, proposal, editor.language),
      })
}

/** Who decided on a proposal, with the reason if they declined it; or that nobody did in time. */
type Outcome = { by: string; reason?: string } | 'expired'

/** Emails the proposer, unless they are no longer an editor: unpublished content is only for editors. */
export async function notifyAuthor(
  db: Tx,
  services: Needed,
  proposal: Proposal,
  outcome: Outcome,
): Promise<void> {
  const { keys, config } = services
  const author = await findApprover(db, config, 'news', proposal.proposed_by)
  if (!author) return
  const values = valuesFor(services, proposal, author.language)
  if (outcome === 'expired') return sendMail(db, keys, author, 'content-lapsed', values)
  const { by, reason } = outcome
  const decided = { ...values, name: await nameOf(db, by) }
  if (reason === undefined) await sendMail(db, keys, author, 'content-confirmed', decided)
  else await sendMail(db, keys, author, 'content-declined', { ...decided, reason })
}

/** Names members by email address, because anyone can choose a colleague's display name. */
const nameOf = async (db: Tx, id: string): Promise<string> => (await getMemberById(db, id)).email

/** Names the items as the console does, in the reader's language. */
function valuesFor(
  { content, config }: Needed,
  { pieces }: Proposal,
  language: Language,
): { pieces: string; link: string } {
  const words = content.words(language, 'console-content') ?? {}
  const separator = content.words(language, 'forms')?.['forms.missing.separator'] ?? ', '
  const keys: Readonly<Record<string, string>> = contentItemNames
  const nameOfItem = (piece: string): string => {
    const key = keys[piece]
    if (key !== undefined && words[key] !== undefined) return words[key]
    const name = piece.slice(piece.indexOf('/') + 1)
    if (kindOf(piece) !== 'document') return name
    const edition = content.documents().find((each) => each.base === name && each.language === language)
    return edition?.title ?? name
  }
  const names = (pieces as { piece: string }[]).map(({ piece }) => nameOfItem(piece))
  return { pieces: names.join(separator), link: contentLink(config) }
}
