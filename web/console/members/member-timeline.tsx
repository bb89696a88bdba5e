import { readMemberTimeline } from '#contract/console-members.ts'
import type { TimelineEntry } from '#contract/timeline.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useAction } from '../../actions/use-action.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
import { callPage } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Timeline } from '../detail/timeline.tsx'
import styles from './members.module.css'
import { useTimeline } from './use-timeline.tsx'

const limit = 20

type Page = { rows: readonly TimelineEntry[]; next: string | undefined }

/** The history of the account, page by page. `state` changes after each action here. */
export function MemberTimeline({ id, state }: { id: string; state: string }) {
  const { t } = useMessages()
  const itemOf = useTimeline()
  const read = (after?: string): Promise<Page> =>
    callPage(readMemberTimeline, { params: { id }, query: { limit, ...(after && { after }) } })
  const loaded = useLoaded(`${id} ${state}`, () => read())
  const { isBusy, error, run } = useAction()
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return (
      <LoadFailed title={t('consoleMembers.timeline.failed')} failure={loaded.failure} retry={loaded.retry} />
    )
  const { rows, next } = loaded.data
  const more = () =>
    run(async () => {
      const page = await read(next)
      loaded.setData({ rows: [...rows, ...page.rows], next: page.next })
    })
  return (
    <>
      <Timeline events={rows.map(itemOf)} />
      {next !== undefined && (
        <div className={styles.more}>
          <Button kind="quiet" busy={isBusy} onClick={() => void more()}>
            {t('consoleMembers.timeline.more')}
          </Button>
        </div>
      )}
      <FormStatus error={error} />
    </>
  )
}
