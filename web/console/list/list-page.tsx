import type { ReactNode } from 'react'
import type { AnyResource } from '#contract/platform/resource.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type Page, type PageProps } from '../../kernel/routes/page.ts'
import { labelOf } from '../../kernel/routes/routes.ts'
import { useSession, type Member } from '../../kernel/session/session.ts'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { DetailView, type DetailSpec } from '../detail/detail-page.tsx'
import { ConsoleList } from './console-list.tsx'
import type { AnyRow, ListSpec, ShownList } from './list-spec.ts'

type ListPage<R extends AnyResource> = {
  list: ListSpec<R>
  lead?: PlainKey
  /** What else the reader can do on the page. */
  action?: (reader: Member) => ReactNode
}

/** The page of a list, whose heading is the title of the page. With `detail`, it is also the page of one record. */
export const listPage = <R extends AnyResource, Record>(
  listed: ListPage<R>,
  detail?: DetailSpec<Record>,
): Page =>
  page({
    View: ({ params: { id }, search }: PageProps<unknown>) =>
      detail && id !== undefined ? (
        <DetailView spec={detail} id={id} />
      ) : (
        <ListView listed={listed} search={search} />
      ),
  })

type Props<R extends AnyResource> = { listed: ListPage<R>; search: URLSearchParams }

function ListView<R extends AnyResource>({ listed: { list, lead, action }, search }: Props<R>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t(labelOf(list.route))} lead={lead && t(lead)} action={member && action?.(member)} />
      {member && <ConsoleList spec={list as unknown as ShownList<AnyRow>} search={search} />}
    </>
  )
}
