import type { ReactNode } from 'react'
import { scheduleDaysMax } from '#contract/publishing/newsroom.ts'
import { joinDate } from '../../kernel/i18n/interpolate.ts'
import { locale } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { RadioField, Select, TextField } from '../../kernel/ui/field.tsx'
import styles from './schedule.module.css'
import type { ScheduleState } from './use-schedule.ts'
import { offsetName, ownZone, zoneName, zonesToChoose } from './zoned-time.ts'

/** Of a local time that occurs twice. */
const occurrences = ['first', 'second'] as const

/** Date, time, and time zone, and the resulting time in UTC and in the reader's own zone. */
export function ScheduleFields({ of, serverError }: { of: ScheduleState; serverError?: ReactNode }) {
  const { t } = useMessages()
  const { chosen, checked, change } = of
  const { first, rest } = zonesToChoose(chosen.zone)
  const values = { zone: zoneName(chosen.zone), days: scheduleDaysMax }
  const option = (zone: string) => (
    <option key={zone} value={zone}>
      {zoneName(zone)}
    </option>
  )
  return (
    <div className={styles.schedule}>
      <div className={styles.pair}>
        <TextField
          type="datetime-local"
          label={t('newsroom.schedule.time')}
          value={chosen.local}
          aria-required
          error={checked.problem ? t(`newsroom.schedule.${checked.problem}`, values) : serverError}
          onChange={(event) => change({ local: event.target.value.slice(0, 16) })}
        />
        <Select
          label={t('newsroom.schedule.zone')}
          value={chosen.zone}
          onChange={(event) => change({ zone: event.target.value })}
        >
          <optgroup label={t('newsroom.schedule.zone.near')}>{first.map(option)}</optgroup>
          <optgroup label={t('newsroom.schedule.zone.all')}>
            {rest.filter((zone) => !first.includes(zone)).map(option)}
          </optgroup>
        </Select>
      </div>
      {checked.isTwice && (
        <RadioField
          label={t('newsroom.schedule.twice')}
          options={occurrences.map((value) => ({ value, label: t(`newsroom.schedule.${value}`) }))}
          chosen={chosen.isLater ? 'second' : 'first'}
          onChoose={(value) => change({ isLater: value === 'second' })}
        />
      )}
      {checked.at !== null && <Moments at={checked.at} zone={chosen.zone} />}
    </div>
  )
}

/** The chosen time in its zone, in UTC, and in the reader's own zone. */
function Moments({ at, zone }: { at: number; zone: string }) {
  const { t, language } = useMessages()
  const timeIn = (timeZone: string) =>
    joinDate(
      new Intl.DateTimeFormat(locale[language], { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
        at,
      ),
    )
  return (
    <dl className={styles.moment}>
      <div>
        <dt>{zoneName(zone)}</dt>
        <dd>
          {timeIn(zone)} <span>{offsetName(at, zone)}</span>
        </dd>
      </div>
      {zone !== 'UTC' && (
        <div>
          <dt>UTC</dt>
          <dd>{timeIn('UTC')}</dd>
        </div>
      )}
      {zone !== ownZone() && ownZone() !== 'UTC' && (
        <div>
          <dt>{t('newsroom.schedule.yours', { zone: zoneName(ownZone()) })}</dt>
          <dd>{timeIn(ownZone())}</dd>
        </div>
      )}
    </dl>
  )
}
