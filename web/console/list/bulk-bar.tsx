import { useState } from 'react'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { bulkRowsMax } from '#contract/platform/bulk.ts'
import { FileButton } from '../../kernel/actions/file-button.tsx'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { mayOpen } from '../can-access.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import styles from './console-list.module.css'
import type { AnyRow, BulkAction, ShownList } from './list-spec.ts'
import { selectedMax, type Selection } from './use-selection.ts'

type Props<Row extends AnyRow> = {
  spec: Pick<ShownList<Row>, 'bulk' | 'nameOf' | 'tagOf' | 'resource'>
  selection: Selection<Row>
  /** Whether rows on other pages match the filters, too, and the whole page is selected. */
  isMatchingOffered: boolean
  onDone: () => void
}

/** The actions of a list that the reader can take. */
export function useBulkActions<Row>(bulk: readonly BulkAction<Row>[] = []): readonly BulkAction<Row>[] {
  const { member } = useSession()
  return bulk.filter((action) => {
    if ('isFile' in action) return true
    const { access } = 'single' in action ? action.single : action.endpoint
    return access.who === 'staff' && mayOpen(member, { needs: access })
  })
}

/** How many rows are selected, and what can be done with them. */
export function BulkBar<Row extends AnyRow>({ spec, selection, isMatchingOffered, onDone }: Props<Row>) {
  const { t } = useMessages()
  const actions = useBulkActions(spec.bulk)
  const [asked, setAsked] = useState<{ name: string; rows: readonly Row[]; isWaiting?: boolean }>()
  const { rows } = selection
  const count = rows.length
  const action = actions.find(({ name }) => name === asked?.name)
  const close = (hasRun: boolean) => {
    setAsked(undefined)
    if (hasRun) onDone()
  }
  return (
    <>
      {count > 0 && !asked?.isWaiting && (
        <div className={styles.bulk} role="group" aria-label={t('console.list.selected', { count })}>
          <Count selection={selection} isMatchingOffered={isMatchingOffered} />
          {actions.map((each) =>
            'isFile' in each ? (
              <SelectedFile key={each.name} label={each.label} spec={spec} rows={rows} />
            ) : (
              <Button
                key={each.name}
                kind={each.isDangerous ? 'danger' : 'quiet'}
                onClick={() => setAsked({ name: each.name, rows })}
              >
                {t(each.label)}
              </Button>
            ),
          )}
        </div>
      )}
      {asked && action && 'endpoint' in action && (
        <BulkDialog
          key={asked.name}
          action={action}
          rows={asked.rows}
          nameOf={spec.nameOf}
          {...(spec.tagOf && { tagOf: spec.tagOf })}
          onWaiting={(isWaiting) => setAsked({ ...asked, isWaiting })}
          onClose={close}
        />
      )}
      {asked && action && 'single' in action && action.dialog({ rows: asked.rows, onClose: close })}
    </>
  )
}

type CountProps<Row extends AnyRow> = Pick<Props<Row>, 'selection' | 'isMatchingOffered'>

function Count<Row extends AnyRow>({ selection, isMatchingOffered }: CountProps<Row>) {
  const { t } = useMessages()
  const { rows, matching, isBusy, error, selectMatching, clear } = selection
  return (
    <div>
      <p role="status">{t(countKeys[matching ?? 'none'], { count: rows.length })}</p>
      {isMatchingOffered && !matching && (
        <TextButton disabled={isBusy} onClick={selectMatching}>
          {t('console.list.selectMatching', { max: selectedMax })}
        </TextButton>
      )}
      <TextButton onClick={clear}>{t('console.list.clearSelection')}</TextButton>
      <FormStatus error={error} />
    </div>
  )
}

const countKeys = {
  none: 'console.list.selected',
  all: 'console.list.selectedAll',
  first: 'console.list.selectedFirst',
} as const

type FileProps<Row extends AnyRow> = Pick<Props<Row>, 'spec'> & { label: PlainKey; rows: readonly Row[] }

/** The selected rows as CSV. The address of the request has room for a limited number of IDs. */
function SelectedFile<Row extends AnyRow>({ label, spec: { resource }, rows }: FileProps<Row>) {
  const { t } = useMessages()
  if (rows.length > bulkRowsMax || !resource.file) return null
  const query = { ids: rows.map(({ id }) => id).join(',') }
  return (
    <FileButton
      label={t(label)}
      endpoint={resource.file}
      input={() => ({ query }) as unknown as CallOf<Endpoint>}
      name={`${resource.declared.name}.csv`}
    />
  )
}
