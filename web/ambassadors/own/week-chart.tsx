import type { AmbassadorResults, InvitationFigures } from '#contract/ambassador-results.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { BarFigure } from '../../ui/bar-figure.tsx'
import { Table } from '../../ui/table.tsx'

const series = [
  { figure: 'signUps', words: 'ambassadorAccount.results.signUps' },
  { figure: 'activations', words: 'ambassadorAccount.results.activations' },
  { figure: 'identities', words: 'ambassadorAccount.results.identities' },
] as const satisfies readonly { figure: keyof InvitationFigures; words: PlainKey }[]

type Weeks = AmbassadorResults['weeks']

/** Results of invitations by week. */
export function WeekChart({ totals, weeks }: { totals: InvitationFigures; weeks: Weeks }) {
  const { t, formatDate, formatNumber, nameValue } = useMessages()
  const dateOf = (week: string) => formatDate(`${week}T12:00:00Z`)
  const highest = Math.max(1, ...weeks.flatMap((week) => series.map(({ figure }) => week[figure])))
  const describeWeek = (figure: keyof InvitationFigures) => {
    const most = weeks.reduce((high, each) => (each[figure] > high[figure] ? each : high))
    return most[figure] > 0
      ? t('ambassadorAccount.results.most', { value: most[figure], week: dateOf(most.week) })
      : t('ambassadorAccount.results.nothing')
  }
  return (
    <BarFigure
      heading={t('ambassadorAccount.results.chart')}
      times={weeks.map(({ week }) => dateOf(week))}
      series={series.map(({ figure, words }) => ({
        name: figure,
        label: t(words),
        total: formatNumber(totals[figure]),
        said: describeWeek(figure),
        bars: weeks.map((week) => ({
          part: Math.max(0, week[figure]) / highest,
          text: nameValue(dateOf(week.week), formatNumber(week[figure])),
        })),
      }))}
      roomMin={8}
      tableLabel={t('ambassadorAccount.results.table')}
    >
      <Table
        caption={t('ambassadorAccount.results.chart')}
        rows={weeks.toReversed()}
        rowKey={({ week }) => week}
        columns={[
          {
            name: 'week',
            heading: t('ambassadorAccount.results.week'),
            cell: ({ week }) => <time dateTime={week}>{dateOf(week)}</time>,
          },
          ...series.map(({ figure, words }) => ({
            name: figure,
            heading: t(words),
            isFigure: true,
            cell: (week: Weeks[number]) => formatNumber(week[figure]),
          })),
        ]}
      />
    </BarFigure>
  )
}
