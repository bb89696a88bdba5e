import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Button } from '../../../kernel/ui/button.tsx'
import { Dialog } from '../../../kernel/ui/dialog.tsx'
import { Checkbox } from '../../../kernel/ui/field.tsx'
import { keyGroups, reviewKeys } from './review-keys.ts'
import styles from './keys.module.css'

type Props = { isOpen: boolean; onClose: () => void; isOn: boolean; onSwitch: (isOn: boolean) => void }

/** Lists every shortcut, with a switch for all of them. */
export function KeysDialog({ isOpen, onClose, isOn, onSwitch }: Props) {
  const { t } = useMessages()
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('review.keys')}
      actions={
        <Button kind="quiet" onClick={onClose}>
          {t('forms.close')}
        </Button>
      }
    >
      <Checkbox
        label={t('review.keys.on')}
        help={t('review.keys.on.help')}
        checked={isOn}
        onChange={({ target }) => onSwitch(target.checked)}
      />
      <div className={styles.groups}>
        {keyGroups.map(({ words, keys }) => (
          <section key={words}>
            <h3>{t(words)}</h3>
            <dl>
              {keys.map((name) => (
                <div key={name}>
                  <dt>
                    <kbd className={styles.key}>{reviewKeys[name].key}</kbd>
                  </dt>
                  <dd>{t(reviewKeys[name].words)}</dd>
                </div>
              ))}
              {words === 'review.keys.group.photos' && (
                <div>
                  <dt>
                    <kbd className={styles.key}>← ↑ → ↓</kbd>
                  </dt>
                  <dd>{t('review.keys.move')}</dd>
                </div>
              )}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
