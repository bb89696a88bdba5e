import { useMessages } from '../i18n/messages.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox } from '../ui/field.tsx'
import styles from './shortcuts.module.css'

/** Keys and what they do. Groups have a heading if there are several. */
export type ShortcutGroup = { heading?: string; keys: readonly { key: string; text: string }[] }

type Props = {
  isOpen: boolean
  onClose: () => void
  isOn: boolean
  onSwitch: (isOn: boolean) => void
  groups: readonly ShortcutGroup[]
}

/** Lists the shortcuts, with a switch for all of them. */
export function ShortcutsDialog({ isOpen, onClose, isOn, onSwitch, groups }: Props) {
  const { t } = useMessages()
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('console.keys')}
      actions={
        <Button kind="quiet" onClick={onClose}>
          {t('forms.close')}
        </Button>
      }
    >
      <Checkbox
        label={t('console.keys.on')}
        help={t('console.keys.on.help')}
        checked={isOn}
        onChange={({ target }) => onSwitch(target.checked)}
      />
      <div className={styles.groups}>
        {groups.map(({ heading, keys }) => (
          <section key={keys[0]?.key}>
            {heading && <h3>{heading}</h3>}
            <dl>
              {keys.map(({ key, text }) => (
                <div key={key}>
                  <dt>
                    <kbd className={styles.key}>{key}</kbd>
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
