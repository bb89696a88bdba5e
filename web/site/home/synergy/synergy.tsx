import { useId } from 'react'
import { guilloche } from '../../../kernel/brand/guilloche.ts'
import { markPath } from '../../../kernel/brand/mark.tsx'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { drawing } from './synergy-drawing.ts'
import type { SynergyLayout } from './synergy-layout.ts'
import styles from './synergy.module.css'

export function Synergy({ synergy }: { synergy: SynergyLayout }) {
  const { t } = useMessages()
  const labelOf = new Map(synergy.nodes.map(({ id, label }) => [id, label]))
  return (
    <div className={styles.synergy}>
      <div className={styles.words}>
        <h3>{t('home.synergy.heading')}</h3>
        <p className={styles.intro}>{t('home.synergy.intro')}</p>
        <dl className={styles.nodes}>
          {synergy.nodes.map(({ id, label, text }) => (
            <div key={id}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        {synergy.edges.length > 0 && (
          <details>
            <summary>{t('home.synergy.list')}</summary>
            <ul>
              {synergy.edges.map(({ from, to, label }) => (
                <li key={from + to}>
                  {labelOf.get(from)} → {labelOf.get(to)}
                  <span>{label}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <div className={styles.picture}>
        <SynergyGraph {...synergy} label={t('home.synergy.diagram')} />
      </div>
    </div>
  )
}

const seal = guilloche({ inner: 49, outer: drawing.core, lobes: 24, turns: 5, precision: 3 })

/** Who works with whom, drawn like the face of a coin: the first node is in the center, the others on the rim. */
function SynergyGraph({ nodes, edges, label }: SynergyLayout & { label: string }) {
  const id = useId()
  const centre = `translate(${drawing.width / 2} ${drawing.height / 2})`
  return (
    <svg
      className={styles.graph}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      role="img"
      aria-label={label}
    >
      <defs>
        <marker
          id={`${id}tip`}
          className={styles.tip}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path d="M0 .5 7.5 4 0 7.5 1.5 4z" />
        </marker>
        <path id={`${id}mark`} d={markPath} />
      </defs>
      <g transform={centre}>
        <circle className={styles.rim} r={drawing.rim} />
        <path className={styles.seal} d={seal} />
      </g>
      {edges.map(({ line, labelLine, kind, isLabelBelow, label: edgeLabel }, index) => (
        <g key={line} className={styles[kind]}>
          <path id={`${id}line${index}`} className={styles.edge} d={line} markerEnd={`url(#${id}tip)`} />
          {labelLine && <path id={`${id}back${index}`} className={styles.labelLine} d={labelLine} />}
          <text className={styles.edgeLabel} dy={isLabelBelow ? 20 : -8}>
            <textPath href={`#${id}${labelLine ? 'back' : 'line'}${index}`} startOffset="50%">
              {edgeLabel}
            </textPath>
          </text>
        </g>
      ))}
      {nodes.map(({ id: nodeId, label: nodeLabel, x, y, labelX, labelY, anchor }, index) => (
        <g key={nodeId}>
          {index > 0 && (
            <>
              <circle className={styles.node} cx={x} cy={y} r={drawing.node} />
              <use
                className={styles.mark}
                href={`#${id}mark`}
                transform={`translate(${x} ${y}) scale(.13)`}
              />
            </>
          )}
          <text
            className={index > 0 ? styles.label : styles.coreLabel}
            x={labelX}
            y={labelY}
            textAnchor={anchor}
            dominantBaseline="central"
          >
            {nodeLabel}
          </text>
        </g>
      ))}
    </svg>
  )
}
