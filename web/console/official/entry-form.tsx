import {
  addImpersonator,
  addOfficialEntry,
  updateImpersonator,
  changeOfficialEntry,
  entryInput,
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

/** Adds or updates an entry. The server validates its kind and rejects duplicates. */
export function EntryForm({ standing, entry, onSaved, onClose }: Props) {
  const { t } = useMessages()
  const form = useContractForm({
    schema: entryInput,
    labels: {
      kind: 'consoleOfficial.kind',
      value: 'consoleOfficial.value',
      note: 'consoleOfficial.note',
      evidence: 'consoleOfficial.evidence',
    },
    defaultValues: {
      kind: entry?.kind ?? 'domain',
      value: entry?.value ?? '',
      note: entry?.note ?? '',
      evidence: entry?.evidence ?? '',
    },
    submit: async (body) => onSaved(await save(standing, entry, body)),
  })
  const isOfficial = standing === 'official'
  return (
    <FormFrame
      of={form}
      submitLabel={t('consoleOfficial.save')}
      busyLabel={t('consoleOfficial.saving')}
      label={t(isOfficial ? 'consoleOfficial.addOfficial' : 'consoleOfficial.addFalse')}
      beside={<TextButton onClick={onClose}>{t('forms.cancel')}</TextButton>}
      startAt="value"
      asksToLeave
    >
      {isOfficial && (
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
        help={t(
          isOfficial ? 'consoleOfficial.form.note.official.help' : 'consoleOfficial.form.note.false.help',
        )}
      />
      <FormInput
        of={form}
        name="evidence"
        autoComplete="off"
        help={t('consoleOfficial.form.evidence.help')}
      />
    </FormFrame>
  )
}
