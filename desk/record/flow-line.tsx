import { Fragment, type ReactElement } from 'react'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { State } from '../list/row-parts.tsx'
import { PeekLink } from '../peek/peek-link.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { type LinkedDocument, useFlowLine } from './use-flow-line.ts'

/** The documents before and after one, each with its state, and where one is among them. */
export function FlowLine({
  resource,
  record,
}: {
  resource: ResourceInfo
  record: RecordData
}): ReactElement | null {
  const linked = useFlowLine(resource, record) ?? []
  if (linked.length === 0) return null
  const own: LinkedDocument = { resource, row: record, isBefore: false }
  const before = linked.filter(({ isBefore }) => isBefore)
  const after = linked.filter(({ isBefore }) => !isBefore)
  return (
    <nav className="flow" aria-label={WORDS.flow}>
      <ol>
        {[...before, own, ...after].map((one, at) => (
          <Fragment key={`${one.resource.slug}/${one.row.id}`}>
            {at > 0 ? (
              <li aria-hidden="true" className="flow-arrow">
                <Icon name="chevron-right" size={14} />
              </li>
            ) : null}
            <li>
              <Step one={one} isHere={one === own} />
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}

function Step({ one, isHere }: { one: LinkedDocument; isHere: boolean }): ReactElement {
  const { resource, row } = one
  const content = (
    <>
      <span className="quiet">{sentenceCase(resource.label)}</span>
      <span className="flow-state">
        {row.id} <State resource={resource} row={row} />
      </span>
    </>
  )
  return isHere ? (
    <span className="flow-step" aria-current="step">
      {content}
    </span>
  ) : (
    <PeekLink className="flow-step" slug={resource.slug} id={row.id}>
      {content}
    </PeekLink>
  )
}
