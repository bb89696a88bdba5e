import {
  addImpersonator,
  addOfficialEntry,
  changeOfficialEntry,
  entryInput,
  updateImpersonator,
  type EntryInput,
  type ListedChannel,
  type ChannelStatus,
} from '#contract/console-official.ts'
import { channelKinds } from '#contract/official.ts'
import { call } from '../../call/call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormInput, FormSelect, FormTextArea } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { TextButton } from '../../ui/button.tsx'
import { Message } from '../../ui/form-status.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import styles from './official.module.css'

type Props = {
  standing: ChannelStatus
  /** The entry to edit. */
  entry?: ListedChannel | undefined
  onSaved: (entry: ListedChannel) => void
  onClose: () => void
}

const save = (standing: ChannelStatus, entry: ListedChannel | undefined, body: EntryInput) => {
  if (!entry) return call(standing === 'false' ? addImpersonator : addOfficialEntry, { body })
  const { id, lastUpdated } = entry
  return call(standing === 'false' ? updateImpersonator : changeOfficialEntry, {
    params: { id },
    body: { ...body, lastUpdated },
  })
}

const labels = {
  kind: 'consoleOfficial.kind',
  value: 'consoleOfficial.value',
  note: 'consoleOfficial.note',
  evidence: 'consoleOfficial.evidence',
} as const
const blank: EntryInput = { kind: 'domain', value: '', note: '', evidence: '' }
const given = ({ kind, value, note, evidence } = blank): EntryInput => ({ kind, value, note, evidence })

/** Adds or updates an entry. The server validates its kind and rejects duplicates. */
export function EntryForm({ standing, entry, onSaved, onClose }: Props) {
  const { t } = useMessages()
  const form = useContractForm({
    schema: entryInput,
    labels,
    defaultValues: given(entry),
    submit: async (body) => onSaved(await save(standing, entry, body)),
  })
  const name = standing === 'official' ? 'Official' : 'False'
  const label = t(`consoleOfficial.add${name}`)
  return (
    <PagePart id="entry" heading={entry ? t(`consoleOfficial.edit${name}`) : label}>
      <div className={styles.form}>
        <FormFrame
          of={form}
          submitLabel={t('consoleOfficial.save')}
          busyLabel={t('consoleOfficial.saving')}
          label={label}
          beside={<TextButton onClick={onClose}>{t('forms.cancel')}</TextButton>}
          startAt="value"
          asksToLeave
        >
          {standing === 'official' && (
            <Message kind="note">
              <p>{t('consoleOfficial.form.official.warning')}</p>
            </Message>
          )}
          <FormSelect of={form} name="kind" help={t('consoleOfficial.form.kind.help')}>
            {channelKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`consoleOfficial.kind.${kind}`)}
              </option>
            ))}
          </FormSelect>
          <FormInput of={form} name="value" autoComplete="off" help={t('consoleOfficial.form.value.help')} />
          <FormTextArea
            of={form}
            name="note"
            rows={2}
            help={t(`consoleOfficial.form.note.${standing}.help`)}
          />
          <FormInput
            of={form}
            name="evidence"
            autoComplete="off"
            help={t('consoleOfficial.form.evidence.help')}
          />
        </FormFrame>
      </div>
    </PagePart>
  )
}
