import { HOUR } from '#contract/durations.ts'
import { pieceNames } from '#contract/content-piece-names.ts'
import type { Language } from '#contract/languages.ts'
import type { Tx } from '../../db/database.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { getMemberById } from '../../members/member.queries.ts'
import { consume } from '../../rate-limits/rate-limit.ts'
import type { Services } from '../../services.ts'
import { contentLink } from '../../site-links.ts'
import { kindOf } from './piece.ts'
import { mayConfirm } from './release-still-holds.ts'
import { findPublisher, listPublishers } from './release.queries.ts'

type Needed = Pick<Services, 'keys' | 'config' | 'content'>
type Proposal = { proposed_by: string; pieces: unknown }
type Proposed = Proposal & { changes: unknown }

/** One editor’s proposals fill nobody’s mailbox; what is not mailed waits on the console’s home all the same. */
const mailedPerHourMax = 20

/** Mails whoever may be the second person. */
export async function tellSecond(db: Tx, services: Needed, proposal: Proposed): Promise<void> {
  const { keys, config } = services
  const limit = { key: `tell second of content ${proposal.proposed_by}`, max: mailedPerHourMax, window: HOUR }
  if ((await consume(db, keys, [limit])) !== undefined) return
  const name = await nameOf(db, proposal.proposed_by)
  for (const editor of await listPublishers(db, config))
    if (editor.id !== proposal.proposed_by && (await mayConfirm(db, config, proposal, editor.id)))
      await sendMail(db, keys, editor, 'content-proposed', {
        name,
        pieces: namesIn(services, proposal, editor.language),
        link: contentLink(config),
      })
}

/** What became of a proposal, by whom: `reason` where it was declined. */
type Outcome = { by: string; reason?: string }

/** Mails whoever proposed it, as long as they are an editor: nobody else is told what the site will say. */
export async function tellAuthor(
  db: Tx,
  services: Needed,
  proposal: Proposal,
  { by, reason }: Outcome,
): Promise<void> {
  const { keys, config } = services
  const author = await findPublisher(db, config, proposal.proposed_by)
  if (!author) return
  const values = {
    name: await nameOf(db, by),
    pieces: namesIn(services, proposal, author.language),
    link: contentLink(config),
  }
  if (reason === undefined) await sendMail(db, keys, author, 'content-confirmed', values)
  else await sendMail(db, keys, author, 'content-declined', { ...values, reason })
}

/** Mails whoever proposed what nobody confirmed in time. */
export async function tellOfLapse(db: Tx, services: Needed, proposal: Proposal): Promise<void> {
  const { keys, config } = services
  const author = await findPublisher(db, config, proposal.proposed_by)
  if (!author) return
  await sendMail(db, keys, author, 'content-lapsed', {
    pieces: namesIn(services, proposal, author.language),
    link: contentLink(config),
  })
}

/** By address: a display name is anybody's choice, and somebody may call themselves as a colleague. */
const nameOf = async (db: Tx, id: string): Promise<string> => (await getMemberById(db, id)).email

/** The pieces as the console calls them, in the language of the reader. */
function namesIn({ content }: Needed, { pieces }: Proposal, language: Language): string {
  const words = content.words(language, 'console-content') ?? {}
  const separator = content.words(language, 'forms')?.['forms.missing.separator'] ?? ', '
  const keys: Readonly<Record<string, string>> = pieceNames
  const nameOfPiece = (piece: string): string => {
    const key = keys[piece]
    if (key !== undefined && words[key] !== undefined) return words[key]
    const name = piece.slice(piece.indexOf('/') + 1)
    if (kindOf(piece) !== 'document') return name
    const isOf = (each: { base: string; language: string }) =>
      each.base === name && each.language === language
    return content.documents().find(isOf)?.title ?? name
  }
  return (pieces as { piece: string }[]).map(({ piece }) => nameOfPiece(piece)).join(separator)
}
