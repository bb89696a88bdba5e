import type { BylineChoice } from '#contract/publishing/announcements.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { refusedField } from '../../platform/refused.ts'
import type { Presentation } from './announcement.queries.ts'
import { chooseCard } from '../pictures/store-picture.ts'

type Given = { card?: { src: string; alt: string } | null | undefined; byline?: BylineChoice | undefined }

/** Reads how a post is presented. Editors can name only themselves as the author, by their display name. */
export async function readPresentation(
  context: MemberContext,
  { card, byline }: Given,
): Promise<Presentation> {
  const { caller } = context
  if (byline === 'self') {
    // Only the author can choose to be named in public.
    caller.requirePerson()
    if (!caller.record.display_name) throw refusedField('byline', 'required')
  }
  return {
    card: card ? await chooseCard(context, card) : card,
    byline: byline === 'self' ? caller.memberId : byline === 'none' ? null : undefined,
  }
}
